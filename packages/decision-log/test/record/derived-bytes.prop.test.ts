import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DerivedBytes } from "../../src/record/ids-and-salts.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const place = fc.integer({ min: 1, max: 2 ** 39 });
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const instant = fc.integer({ min: 0, max: 8_640_000_000_000_000 / 1000 });

describe("DerivedBytes", () => {
  it("makes UUIDs of version 7 that have the instant, and the order of their places", () => {
    fc.assert(
      fc.property(secret, instant, place, place, (key, epochMs, one, other) => {
        const derived = new DerivedBytes(key);
        const [a, b] = [derived.begin(one, epochMs), derived.begin(other, epochMs)];
        expect(a).toMatch(uuid);
        expect(Number.parseInt(a.replace("-", "").slice(0, 12), 16)).toBe(epochMs);
        expect(Math.sign(a < b ? -1 : a > b ? 1 : 0)).toBe(Math.sign(one - other));
      }),
    );
  });

  it("derives the same for the same place, and something else for another place or secret", () => {
    fc.assert(
      fc.property(secret, secret, place, (key, otherKey, line) => {
        const made = (bytes: Uint8Array, at: number) => {
          const derived = new DerivedBytes(bytes);
          const id = derived.begin(at, 0);
          return [id, derived.bytes.toString("hex", derived.take(), derived.take() + 16)];
        };
        expect(made(key, line)).toEqual(made(key, line));
        expect(made(key, line)[1]).not.toBe(made(key, line + 1)[1]);
        fc.pre(Buffer.compare(key, otherKey) !== 0);
        expect(made(key, line)[1]).not.toBe(made(otherKey, line)[1]);
      }),
    );
  });
});
