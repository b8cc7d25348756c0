import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Decision, defineDecision, evaluate, toJsonSchema, withProfile } from "../src/index.js";
import { evaluateCall, probe, program, WatchedDecision } from "../src/tools.js";
import { loan } from "./fixtures.js";

const call = { epochMs: Date.parse("2026-03-03T09:30:00.000Z"), requestId: "req-1" };

describe("probe tries every rule", () => {
  it("also those behind the first match", () => {
    expect(probe({ decision: loan, ...call, input: { score: 550 } })).toEqual({
      rules: [
        { ruleId: "unlucky", outcome: "missed" },
        { ruleId: "too-low", outcome: "matched", data: { approved: false, rate: 0 } },
        { ruleId: "standard", outcome: "matched", data: { approved: true, rate: 4.9 } },
      ],
    });
  });

  it("also those behind a rule that fails", () => {
    const probed = probe({ decision: loan, ...call, input: { score: 13 } });
    expect(probed).toMatchObject({
      rules: [
        { outcome: "failed", error: { code: "EVALUATION_FAILED" } },
        { outcome: "matched" },
        { outcome: "matched" },
      ],
    });
    expect(() => evaluate(loan, { score: 13 })).toThrow(/"when" of rule "unlucky" threw/);
  });

  it("counts an output that breaks its schema as a failure of its rule", () => {
    const probed = probe({ decision: loan, ...call, input: { score: 14 } });
    expect(probed).toMatchObject({
      rules: [{ outcome: "failed" }, { outcome: "matched" }, { outcome: "matched" }],
    });
  });

  it("with the profile of the call, of the host, and of the decision, in that order", () => {
    const rulesOf = (decision: typeof loan, given: object) => {
      const probed = probe({ decision, ...call, input: { score: 550 }, ...given });
      return probed.refused === undefined ? probed.rules.map(({ outcome }) => outcome) : probed.refused;
    };
    const profiles = { profileOf: () => ({ minScore: 500 }) };
    const bound = withProfile(loan, { minScore: 551 });
    expect(rulesOf(bound, {})).toEqual(["missed", "matched", "matched"]);
    expect(rulesOf(bound, { profiles })).toEqual(["missed", "missed", "matched"]);
    expect(rulesOf(bound, { profiles, profile: { minScore: 600 } })).toEqual([
      "missed",
      "matched",
      "matched",
    ]);
  });

  it("returns the envelope that evaluate returns for what is refused", () => {
    for (const given of [
      { input: { score: "high" } },
      { input: { score: 1 }, profile: { minScore: "low" } },
    ]) {
      const { result } = evaluateCall({ decision: loan, ...call, ...given });
      expect(probe({ decision: loan, ...call, ...given })).toEqual({ refused: result });
    }
  });

  it("throws when a schema fails, which is the decision's fault", () => {
    const broken = defineDecision({
      id: "broken",
      version: "1",
      inputSchema: z.object({}).transform(() => {
        throw new Error("secret");
      }),
      outputSchema: z.object({}),
      profileSchema: z.object({}),
      rules: [{ id: "r", when: () => true, emit: () => ({}) }],
    });
    expect(() => probe({ decision: broken, ...call, input: {} })).toThrow(
      expect.objectContaining({ code: "EVALUATION_FAILED" }),
    );
  });
});

describe("a watched decision", () => {
  const run = (decision: Decision, input: unknown, places: readonly (readonly string[])[]) => {
    const { decision: watched, watch } = new WatchedDecision(
      decision,
      toJsonSchema(decision.inputSchema),
    ).during(input, WatchedDecision.maskOf(places), true);
    const outcome = evaluateCall({ decision: watched, ...call, input: structuredClone(input) });
    return { outcome, watch };
  };

  it("evaluates as the decision does, and tells which masked place a rule read", () => {
    const input = { score: 700 };
    const { outcome, watch } = run(loan, input, [["note"]]);
    expect(outcome).toEqual(evaluateCall({ decision: loan, ...call, input }));
    expect(watch).toMatchObject({ isValid: true, touched: undefined, isTransformed: false });
    expect(run(loan, input, [["score"]]).watch.touched).toBe("/input/score");
  });

  it("tells whether rules got the input at all", () => {
    const { outcome, watch } = run(loan, {}, [["score"]]);
    expect(outcome.result?.status).toBe("INVALID_INPUT");
    expect(watch).toMatchObject({ isValid: false, touched: undefined });
  });

  it("keeps the profile that the decision has, and leaves the decision as it is", () => {
    const bound = withProfile(loan, { minScore: 800 });
    const { outcome, watch } = run(bound, { score: 700 }, [["score"]]);
    expect(outcome.result).toMatchObject({ status: "OK", meta: { matchedRule: "too-low" } });
    watch.touched = undefined;
    evaluateCall({ decision: bound, ...call, input: { score: 700 } });
    expect(watch.touched).toBeUndefined();
  });
});

it("ruleTexts has the values that rules compare with", () => {
  expect(loan[program].ruleTexts.join("\n")).toMatch(/input\.score === 13\b/);
});
