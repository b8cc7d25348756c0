import type { Decision } from "@decern/core";
import { toJsonSchema } from "@decern/core";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { explore } from "../../src/index.js";
import { witnessesOf } from "./fixtures.js";
import { plantedDecisions } from "./planted.js";

const formats = { date: /^\d{4}-\d\d-\d\d$/ };

function judgeOf({ inputSchema }: Decision): (input: unknown) => boolean {
  return new Ajv({ strict: false, formats }).compile({ ...toJsonSchema(inputSchema, "input") });
}

describe.each(plantedDecisions.map((planted) => [planted.decision.id, planted] as const))(
  "%s",
  (_id, { decision, unreached = {}, overlaps = [], gap = false, faults = 0 }) => {
    const found = explore(decision, { runs: 4_000 });

    it("finds what is planted, and nothing else", () => {
      const shadowed = found.rules.filter(({ witness }) => witness === undefined);
      expect({
        unreached: Object.fromEntries(
          shadowed.map(({ ruleId, shadowedBy }) => [ruleId, [...shadowedBy].sort()] as const),
        ),
        overlaps: found.overlaps.map(({ rules }) => rules.join(" ")),
        gap: found.noMatch !== undefined,
        faults: found.faults.length,
      }).toEqual({ unreached, overlaps, gap, faults });
      expect(found.coverage).toBe((found.rules.length - shadowed.length) / found.rules.length);
    });

    it("shows real inputs", () => {
      const isValid = judgeOf(decision);
      expect(witnessesOf(found).filter((input) => !isValid(input))).toEqual([]);
    });
  },
);

it("has at least twenty of them", () => {
  expect(plantedDecisions.length).toBeGreaterThanOrEqual(20);
});
