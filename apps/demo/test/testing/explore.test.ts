import { type Decision, toJsonSchema } from "@decern/core";
import { explore } from "@decern/testing";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { decisions, profiles } from "../../src/decisions/index.js";

const all: readonly Decision[] = decisions;

describe.each(all.map((decision) => [decision.id, decision.version, decision] as const))(
  "exploring %s %s",
  (id, _version, decision) => {
    // The examples have one for every rule: without them, the search is on its own.
    const found = explore(decision, { profiles, examples: [] });

    it("reaches every rule, and no fault", () => {
      const unreached = found.rules.filter(({ witness }) => witness === undefined);
      expect(unreached.map(({ ruleId }) => ruleId)).toEqual([]);
      expect(found.faults).toEqual([]);
    });

    it("finds a gap where there is one", () => {
      expect(found.noMatch !== undefined).toBe(["document-access", "shipping-fee"].includes(id));
    });

    it("shows inputs that AJV takes", () => {
      const isValid = new Ajv({ strict: false }).compile({ ...toJsonSchema(decision.inputSchema) });
      const shown = [...found.boundaries, ...found.steps].flatMap(({ witnesses }) => witnesses);
      for (const { witness } of [...found.rules, ...found.overlaps])
        if (witness !== undefined) shown.push(witness);
      expect(shown.map(({ input }) => input).filter((input) => !isValid(input))).toEqual([]);
    });
  },
);

it("finds the thresholds of a chart that no rule names", () => {
  const news2 = all.find(({ id }) => id === "news2");
  if (news2 === undefined) throw new Error("news2 is gone");
  const { boundaries, steps } = explore(news2, { profiles });
  const found = (name: string): ReadonlySet<number> =>
    new Set(
      [...boundaries, ...steps]
        .filter(({ pointer }) => pointer === `/${name}`)
        .map(({ witnesses }) =>
          Math.min(...witnesses.map(({ input }) => Number(Reflect.get(Object(input), name)))),
        ),
    );
  // Chart 1 of the Royal College of Physicians: the last value of each band.
  expect([...found("respirationRate")]).toEqual(expect.arrayContaining([8, 11, 20, 24]));
  expect([...found("systolicBloodPressure")]).toEqual(expect.arrayContaining([90, 100, 110, 219]));
  expect([...found("pulse")]).toEqual(expect.arrayContaining([40, 50, 90, 110, 130]));
  expect([...found("spo2")]).toEqual(expect.arrayContaining([83, 85, 87, 91, 93, 95]));
});
