import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callFor, differencesOf, outcomeDifferences, rivalsOf } from "../../src/compare/differences.js";
import { readPointer } from "../../src/json/values.js";
import type { Reply } from "../../src/model/reply.js";
import { leavesOf, Removed } from "../../src/model/trace.js";

function run(input: unknown, rule: string, data: unknown, more: object = {}) {
  const body = {
    status: "OK",
    data,
    meta: {
      decisionVersion: "1",
      matchedRule: rule,
      explanation: `because of ${rule}`,
      evaluatedRules: [
        { ruleId: "first", matched: rule === "first" },
        ...(rule === "first" ? [] : [{ ruleId: rule, matched: true }]),
      ],
      ...more,
    },
  };
  const reply: Reply = {
    httpStatus: 200,
    requestId: undefined,
    milliseconds: 1,
    body,
    sent: { input, profile: undefined },
  };
  return { call: { input }, reply };
}

describe("a comparison of two runs", () => {
  const left = run({ score: 580, person: { age: 40 }, list: [1, 2] }, "first", { approved: false, rate: 0 });
  const right = run({ score: 620, person: { age: 40 }, list: [1] }, "second", { approved: true, rate: 0 });

  const schemas = {
    inputSchema: {
      type: "object",
      properties: { score: { type: "integer", title: "Credit score" }, person: { type: "object" } },
    },
    outputSchema: { type: "object", properties: { rate: { type: "number", title: "Reason" } } },
    profileSchema: {},
  };
  const lines = (one: typeof left, other: typeof left) =>
    differencesOf(one, other, schemas).map(({ part = "", name, left, right, state }) => [
      `${part} ${name}`.trim(),
      left,
      right,
      state,
    ]);

  it("shows the answer and every output by title, and of all else what differs", () => {
    expect(lines(left, right)).toEqual([
      ["Outcome", "OK", "OK", "same"],
      ["Rule", "first", "second", "changed"],
      ["Reason", "because of first", "because of second", "changed"],
      ["Output approved", false, true, "changed"],
      // An output may be called what a part of the outcome is called.
      ["Output Reason", 0, 0, "same"],
      ["Input Credit score", 580, 620, "changed"],
      ["Input list 2", 2, undefined, "changed"],
      ["Rule first", "matched", "not matched", "changed"],
      ["Rule second", "not reached", "matched", "changed"],
    ]);
  });

  it("finds nothing between a run and itself", () => {
    const changed = (one: typeof left, other: typeof left) =>
      differencesOf(one, other, schemas).filter(({ state }) => state !== "same");
    expect(changed(left, left)).toEqual([]);
    const other = run({ list: [1, 2], person: { age: 40 }, score: 580 }, "first", {
      rate: 0,
      approved: false,
    });
    expect(changed(left, other)).toEqual([]);
  });

  it("tells fields with the same title apart", () => {
    const twice = {
      type: "object",
      properties: { a: { type: "number", title: "Amount" }, b: { type: "number", title: "Amount" } },
    };
    const found = outcomeDifferences(
      { status: "OK", body: { data: { a: 1, b: 2 } } },
      { status: "OK", body: { data: { a: 1, b: 3 } } },
      twice,
    );
    expect(found.slice(-2).map(({ name, state }) => [name, state])).toEqual([
      ["Amount (/a)", "same"],
      ["Amount (/b)", "changed"],
    ]);
  });

  it("claims nothing about what was removed, and shows errors by their place", () => {
    const found = outcomeDifferences(
      { status: "OK", body: { data: { limit: new Removed() } } },
      { status: "INVALID_INPUT", body: { errors: [{ path: "/n", message: "must be a number" }] } },
      {},
    );
    expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "Outcome changed",
      "Rule same",
      "Reason same",
      "Error at /n changed",
      "limit unknown",
    ]);
  });
});

it("finds every value of an input by its pointer", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const leaves = leavesOf(value);
      expect(leaves.size).toBeGreaterThan(0);
      for (const [pointer, leaf] of leaves) expect(readPointer(value, pointer)).toBe(leaf);
      // Every number of the text is one of them.
      const numbers = [...leaves.values()].filter((leaf) => typeof leaf === "number").length;
      let counted = 0;
      JSON.stringify(value, (_key, inner) => {
        if (typeof inner === "number") counted += 1;
        return inner;
      });
      expect(numbers).toBe(counted);
    }),
  );
});

it("offers the other versions, the named profiles, and what is pinned", () => {
  const named = [{ name: "strict", profile: {} }];
  const decision = { version: "2", versions: [{ version: "1" }, { version: "2" }], namedProfiles: named };
  const labels = (pinned: boolean) => [...rivalsOf(decision, pinned).values()].map(({ label }) => label);
  expect(labels(true)).toEqual(["The pinned outcome", "Version 1", "Default profile", "Profile strict"]);
  expect([...rivalsOf({ ...decision, versions: [], namedProfiles: [] }, false)]).toEqual([]);
});

it("evaluates the same input for a rival, and replaces the profile only where that is the point", () => {
  const call = { input: 1, profile: { a: 1 } };
  expect(callFor({ kind: "version", version: "1" }, call)).toEqual(call);
  expect(callFor({ kind: "profile", name: "strict" }, call)).toEqual({ input: 1, profileName: "strict" });
  expect(callFor({ kind: "profile", name: undefined }, call)).toEqual({ input: 1 });
});
