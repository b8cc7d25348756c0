import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callFor, differencesOf, rivalsOf } from "../../src/compare/differences.js";
import { readPointer } from "../../src/json/values.js";
import type { Reply } from "../../src/model/reply.js";
import { leavesOf } from "../../src/model/trace.js";

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

  it("shows the answer and every output, and of all else what differs", () => {
    expect(differencesOf(left, right)).toEqual([
      { part: "answer", name: "Status", left: "OK", right: "OK", differs: false },
      { part: "answer", name: "Rule", left: "first", right: "second", differs: true },
      { part: "output", name: "/approved", left: false, right: true, differs: true },
      { part: "output", name: "/rate", left: 0, right: 0, differs: false },
      { part: "answer", name: "Reason", left: "because of first", right: "because of second", differs: true },
      { part: "input", name: "/score", left: 580, right: 620, differs: true },
      { part: "input", name: "/list/1", left: 2, right: undefined, differs: true },
      { part: "rule", name: "first", left: "matched", right: "not matched", differs: true },
      { part: "rule", name: "second", left: undefined, right: "matched", differs: true },
    ]);
  });

  it("finds nothing between a run and itself", () => {
    expect(differencesOf(left, left).filter(({ differs }) => differs)).toEqual([]);
    const other = run({ list: [1, 2], person: { age: 40 }, score: 580 }, "first", {
      rate: 0,
      approved: false,
    });
    expect(differencesOf(left, other).filter(({ differs }) => differs)).toEqual([]);
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
