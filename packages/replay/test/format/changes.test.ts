import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallOutcome, ReplayExample } from "../../src/index.js";
import { changes } from "../../src/report/sections.js";

function example(before: Partial<CallOutcome>, after: Partial<CallOutcome>): ReplayExample {
  const side = { outcome: "OK/a", version: "1.0.0" };
  return {
    recordId: "r",
    requestId: "q",
    recordedAt: "2026-03-03T09:14:07.512Z",
    input: {},
    masked: [],
    before: { ...side, ...before },
    after: { ...side, ...after },
  };
}

describe("the places where two answers differ", () => {
  it("are JSON Pointers", () => {
    const before = { rate: 4.9, "a/b": { "~": [1, 2] }, same: true };
    const after = { rate: 7.9, "a/b": { "~": [1, 3, 4] }, same: true };
    expect(changes(example({ data: before }, { data: after }))).toEqual([
      { place: "/rate", before: "4.9", after: "7.9" },
      { place: "/a~1b/~0/1", before: "2", after: "3" },
      { place: "/a~1b/~0/2", before: "nothing", after: "4" },
    ]);
  });

  it("are the whole answer where one side has none", () => {
    expect(changes(example({ data: { rate: 1 } }, {}))).toEqual([
      { place: "data", before: '{ "rate": 1 }', after: "nothing" },
    ]);
  });

  it("are the error where one side failed", () => {
    const error = { code: "EVALUATION_FAILED", message: "Rule 'a' failed" };
    expect(changes(example({ data: { rate: 1 } }, { error }))).toEqual([
      { place: "error", before: "nothing", after: "EVALUATION_FAILED: Rule 'a' failed" },
    ]);
  });

  it("are none exactly where the answers are equal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
        expect(changes(example({ data: one }, { data: structuredClone(one) }))).toEqual([]);
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(two));
        expect(changes(example({ data: one }, { data: two })).length === 0).toBe(isSame);
      }),
    );
  });
});

/** A value whose members are in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
