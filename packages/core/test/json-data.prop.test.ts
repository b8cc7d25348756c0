import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonProblems } from "../src/base/kinds.js";
import { frozenJson } from "../src/decision/define-decision.js";

function parts(value: unknown): readonly object[] {
  return typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(parts)] : [];
}

it("copies and freezes JSON, whatever its members are called", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5 }),
      fc.constantFrom("__proto__", "constructor", "a"),
      (value, name) => {
        const json: unknown = JSON.parse(
          `{${JSON.stringify(name)}:${JSON.stringify(value)},"list":[${JSON.stringify(value)}]}`,
        );
        expect(jsonProblems(json)).toEqual([]);
        const copy = frozenJson(json);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(json));
        expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
        const originals = new Set(parts(json));
        for (const part of parts(copy)) {
          expect(Object.isFrozen(part)).toBe(true);
          expect(originals.has(part)).toBe(false);
        }
      },
    ),
  );
});

it("leaves out what is undefined, as JSON does", () => {
  expect(Object.keys(frozenJson({ a: undefined, b: 1 }))).toEqual(["b"]);
});

it("finds problems in exactly what JSON doesn't carry as it is", () => {
  const circular: unknown[] = [];
  circular.push({ circular });
  const shared = { a: 1 };
  for (const value of [null, "", 0, true, [], {}, [shared, shared], { a: undefined, b: [{ c: null }] }])
    expect(jsonProblems(value)).toEqual([]);
  for (const value of [circular, () => 1, 1n, Number.NaN, new Date(0), { a: [undefined] }, new Map()])
    expect(jsonProblems(value).length).toBeGreaterThan(0);
});
