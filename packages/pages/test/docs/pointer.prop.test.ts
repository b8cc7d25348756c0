import fc from "fast-check";
import { expect, it } from "vitest";
import { parentPointer, readPointer, toPointer } from "../../src/json/values.js";

const keys = fc.array(fc.string({ unit: fc.constantFrom("a", "/", "~", "0", "1", "ü", " ") }), {
  maxLength: 5,
});

it("reads the value at a path's pointer, for any property names", () => {
  fc.assert(
    fc.property(keys, fc.integer(), (path, leaf) => {
      const root = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
      expect(readPointer(root, toPointer(path))).toBe(leaf);
    }),
  );
});

it("goes up once per segment of a path", () => {
  fc.assert(
    fc.property(keys, (path) => {
      let steps = 0;
      for (let at = parentPointer(toPointer(path)); at !== undefined; at = parentPointer(at)) steps += 1;
      expect(steps).toBe(path.length);
    }),
  );
});

it("does not find inherited members", () => {
  expect(readPointer({}, "/constructor/name")).toBeUndefined();
  expect(readPointer({}, "/__proto__")).toBeUndefined();
});
