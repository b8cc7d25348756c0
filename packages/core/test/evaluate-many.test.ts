import { describe, expect, it } from "vitest";
import { DecernError, evaluate, evaluateMany, withProfile } from "../src/index.js";
import { loan } from "./fixtures.js";

const now = new Date("2026-03-01T12:00:00.000Z");
const profile = { minScore: 620 };

describe("evaluateMany", () => {
  it("returns for each input, in order, what evaluate returns", () => {
    const inputs: unknown[] = [{ score: 700 }, { score: 500 }, { score: "x" }, null, { score: 1000 }];
    expect(evaluateMany(loan, inputs, { profile, now })).toEqual(
      inputs.map((input) => evaluate(loan, input, profile, { now })),
    );
  });

  it("has the faults of evaluate as values, and goes on", () => {
    const [first, unlucky, last] = evaluateMany(loan, [{ score: 700 }, { score: 13 }, { score: 700 }], {
      profile,
    });
    expect({ first, last }).toMatchObject({ first: { status: "OK" }, last: { status: "OK" } });
    if (!(unlucky instanceof DecernError)) throw new Error("13 is unlucky");
    expect(() => evaluate(loan, { score: 13 }, profile)).toThrow(unlucky.message);
    expect(unlucky.code).toBe("EVALUATION_FAILED");
    expect(unlucky.cause).toBeInstanceOf(Error);
  });

  it("evaluates at one instant, with the profile of the decision if there is no other", () => {
    function* inputs() {
      for (const score of [500, 600, 700]) yield { score };
    }
    const results = evaluateMany(withProfile(loan, { minScore: 550 }), inputs());
    expect(results.map((item) => (item instanceof DecernError ? "" : item.meta)).map(ruleOf)).toEqual([
      "too-low",
      "standard",
      "standard",
    ]);
    const instants = results.map((item) => (item instanceof DecernError ? "" : item.meta.evaluatedAt));
    expect(new Set(instants).size).toBe(1);
  });

  it("returns an empty list for no inputs, and lets the error of its source through", () => {
    expect(evaluateMany(loan, [])).toEqual([]);
    function* broken(): Generator<{ score: number }> {
      yield { score: 1 };
      throw new RangeError("disk");
    }
    expect(() => evaluateMany(loan, broken())).toThrow(new RangeError("disk"));
  });

  it.each([
    [{ profil: {} }, "/profil"],
    [{ now: "today" }, "/now"],
    [{ requestId: 1 }, "/requestId"],
    [null, ""],
  ])("refuses the options %j", (options, path) => {
    const call = evaluateMany as unknown as (...args: readonly unknown[]) => unknown;
    expect(() => call(loan, [], options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS", problems: [expect.objectContaining({ path })] }),
    );
    expect(() => call({}, [])).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });
});

function ruleOf(meta: unknown): unknown {
  return typeof meta === "object" && meta !== null && "matchedRule" in meta ? meta.matchedRule : undefined;
}
