import { type Decision, evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { decisions, defaultProfiles, type Example, loanApproval2 } from "../../src/decisions/index.js";

function isExamples(value: unknown): value is readonly Example[] {
  return Array.isArray(value) && value.length > 0;
}

const all: readonly Decision[] = [...decisions, loanApproval2];
const profiles: Readonly<Record<string, unknown>> = defaultProfiles;

describe.each(all.map((decision) => [decision.id, decision.version, decision] as const))(
  "%s %s",
  (id, _version, decision) => {
    const examples = decision.meta?.["examples"];
    if (!isExamples(examples)) throw new Error(`${id} has no examples`);

    it.each(examples.map((example) => [example.name, example] as const))("example: %s", (_name, example) => {
      const result = evaluate(decision, example.input, example.profile ?? profiles[id]);
      expect(result.status).toBe(example.expect.status);
      if (result.status === "OK") {
        expect(result.meta.matchedRule).toBe(example.expect.matchedRule);
        // The explanation must be a sentence about this input, not the default text.
        expect(result.meta.explanation).toMatch(/^\S.{10,}$/);
        expect(result.meta.explanation).not.toMatch(/undefined|NaN|Infinity|\[object|^Rule "/);
      }
    });

    it("has an example for every rule", () => {
      const shown = new Set(examples.map((example) => example.expect.matchedRule));
      expect(decision.ruleIds.filter((rule) => !shown.has(rule))).toEqual([]);
    });

    it("has an owner and a description", () => {
      expect(decision.description).toMatch(/\w+ \w+ \w+/);
      expect(decision.meta?.["owner"]).toMatch(/^[a-z-]+$/);
      expect(decision.version).toMatch(/^\d+\.\d+\.\d+$/);
    });
  },
);
