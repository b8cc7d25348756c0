import { type Decision, evaluate } from "@decern/core";
import { examples } from "@decern/testing";
import "@decern/testing/vitest";
import { describe, expect, it, test } from "vitest";
import { decisions, profiles } from "../../src/decisions/index.js";

const all: readonly Decision[] = decisions;
const byId: Readonly<Record<string, unknown>> = profiles;

describe.each(all.map((decision) => [decision.id, decision.version, decision] as const))(
  "%s %s",
  (id, _version, decision) => {
    test.each(examples(decision))("example: $name", ({ input, profile = byId[id], expect: expected }) => {
      const result = evaluate(decision, input, profile);
      expect(result.status).toBe(expected.status);
      if (expected.matchedRule === undefined) return;
      expect(result).toMatchRule(expected.matchedRule);
      // The explanation must be a sentence about this input, not the default text.
      expect(result).toBeExplainedBy(/^\S.{10,}$/);
      expect(result).not.toBeExplainedBy(/undefined|NaN|Infinity|\[object|^Rule "/);
    });

    it("passes its examples as a host evaluates them", () => {
      expect(decision).toPassExamples({ profiles });
    });

    it("has an example for every rule", () => {
      const shown = new Set(examples(decision).map((example) => example.expect.matchedRule));
      expect(decision.ruleIds.filter((rule) => !shown.has(rule))).toEqual([]);
    });

    it("has an owner and a description", () => {
      expect(decision.description).toMatch(/\w+ \w+ \w+/);
      expect(decision.meta?.["owner"]).toMatch(/^[a-z-]+$/);
      expect(decision.version).toMatch(/^\d+\.\d+\.\d+$/);
    });
  },
);
