import fc from "fast-check";
import { expect, it } from "vitest";
import { stepped } from "../../src/json/reading.js";

const unbounded = { min: undefined, max: undefined };

it("steps in decimal: n steps of a tenth are n tenths", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(1, 10, 100, 1000), (count, parts) => {
      const direction = Math.sign(count);
      let value = 0;
      for (let done = 0; done < Math.abs(count); done += 1) {
        value = stepped(value, direction / parts, unbounded);
      }
      expect(value).toBe(count / parts);
    }),
  );
});

it("stays within its bounds", () => {
  expect(stepped(119.5, 1, { min: 0, max: 120 })).toBe(120);
  expect(stepped(0.5, -1, { min: 0, max: 120 })).toBe(0);
  expect(stepped(0, 1, { min: 300, max: 850 })).toBe(300);
});

it("returns a number for every number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
      expect(Number.isFinite(stepped(value, 1, unbounded))).toBe(true);
    }),
  );
});
