import { Ajv } from "ajv";
import fc from "fast-check";
import { Type } from "typebox";
import Value from "typebox/value";
import { describe, expect, it } from "vitest";
import { typebox } from "../src/index.js";

function isMultiple(value: number, divisor: number): boolean {
  return !("issues" in typebox(Type.Number({ multipleOf: divisor }))["~standard"].validate(value));
}

/** Long division on the digits of two decimals, without binary numbers. */
function isMultipleByHand(value: string, divisor: string): boolean {
  const places = (text: string): number => text.split(".")[1]?.length ?? 0;
  const width = Math.max(places(value), places(divisor));
  const scaled = (text: string): string => text.replace(".", "") + "0".repeat(width - places(text));
  const whole = BigInt(scaled(divisor));
  let rest = 0n;
  for (const digit of scaled(value).replace("-", "")) rest = (rest * 10n + BigInt(digit)) % whole;
  return rest === 0n;
}

it("accepts every amount from 0.01 to 1,000.00 as a multiple of a cent, and none in between", () => {
  const { validate } = typebox(Type.Number({ multipleOf: 0.01 }))["~standard"];
  const wrong: number[] = [];
  for (let cents = 1; cents <= 100_000; cents += 1) {
    const amount = cents / 100;
    if ("issues" in validate(amount) || "issues" in validate(-amount)) wrong.push(amount);
    // As text, because adding half a cent would round.
    const between = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}5`);
    if (!("issues" in validate(between))) wrong.push(between);
  }
  expect(wrong).toEqual([]);
});

it("is exact for decimals of any size, as they are written", () => {
  const digits = fc.integer({ min: 0, max: 999_999 });
  const decimal = fc
    .tuple(digits, fc.integer({ min: 0, max: 8 }))
    .map(([number, places]) => (number / 10 ** places).toFixed(places));
  fc.assert(
    fc.property(
      decimal.filter((text) => Number(text) !== 0),
      fc.oneof(decimal, fc.integer({ min: 0, max: 10_000 }).map(String)),
      fc.boolean(),
      (divisor, value, multiply) => {
        const tried = multiply ? multiplied(divisor, value) : value;
        // A number of 15 digits or fewer is written as it was read.
        if (tried.replace(/\D/g, "").length > 15) return;
        expect(isMultiple(Number(tried), Number(divisor)), `${tried} of ${divisor}`).toBe(
          isMultipleByHand(tried, divisor),
        );
      },
    ),
    { numRuns: 500 },
  );
});

function multiplied(text: string, times: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  const product = String(BigInt(whole + fraction) * BigInt(times.replace(/\..*/, "")));
  if (fraction === "") return product;
  const padded = product.padStart(fraction.length + 1, "0");
  return `${padded.slice(0, -fraction.length)}.${padded.slice(-fraction.length)}`;
}

describe("a multiple", () => {
  it.each<[number, number, boolean]>([
    [0.07, 0.01, true],
    [19.99, 0.01, true],
    [-19.99, 0.01, true],
    [19.995, 0.01, false],
    [0, 0.01, true],
    [-0, 3, true],
    [0.3, 0.1, true],
    [1.1, 0.1, true],
    [4.35, 0.05, true],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [1e22, 5, true],
    [1e22, 3, false],
    [1e23, 3, false],
    [1e-7, 1e-7, true],
    [3e-7, 1e-7, true],
    [1e-7, 1e-8, true],
    [1e-8, 1e-7, false],
    [12_391_239_123, 1e-8, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [1.7976931348623157e308, 5e-324, true],
    [5e-324, 5e-324, true],
    [1e-323, 5e-324, true],
    [5e-324, 1e308, false],
    [1e308, 1e308, true],
    [9_007_199_254_740_991, 2, false],
    [9_007_199_254_740_992, 2, true],
    [999_999_999_999_999.9, 0.1, true],
    [4.5, 1.5, true],
    [35, 1.5, false],
    [1e16, 1e15, true],
    [1.5e15, 1e15, false],
    [7, 1e22, false],
  ])("%f of %f: %s", (value, divisor, expected) => {
    expect(isMultiple(value, divisor)).toBe(expected);
  });
});

it("agrees with AJV and TypeBox on small integers, where rounding does not matter", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e6, max: 1e6 }),
      fc.integer({ min: 1, max: 1_000 }),
      (value, multipleOf) => {
        const type = Type.Number({ multipleOf });
        const ours = isMultiple(value, multipleOf);
        expect(ours).toBe(new Ajv().validate(type, value));
        expect(ours).toBe(Value.Check(type, value));
      },
    ),
  );
});
