import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calculate, roundTo } from "../src/base/decimal.js";

/** A million with `DECERN_DECIMAL_RUNS=1000000`. */
const runs = Number(process.env["DECERN_DECIMAL_RUNS"] ?? 30_000);

const Decimal15 = Decimal.clone({ precision: 15, rounding: Decimal.ROUND_HALF_UP });
const Wide = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_UP });

/** As analysts write them: few digits, and of similar size. */
const short = fc
  .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: -6, max: 2 }))
  .map(([mantissa, exponent]) => Number(`${mantissa}e${exponent}`));

/** Up to 15 digits, so that results are ties, cancel each other or lie between two decimals. */
const long = fc
  .tuple(
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    fc.integer({ min: -20, max: 6 }),
  )
  .map(([mantissa, exponent]) => Number(`${mantissa}e${exponent}`));

const double = fc.double({ min: -1e60, max: 1e60, noNaN: true });
const operand = fc.oneof(short, short, long, double);

const methods = { "+": "plus", "-": "minus", "*": "times", "/": "div" } as const;

describe("arithmetic, judged by decimal.js", () => {
  it("has the 15 digits of decimal arithmetic", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(operand, fc.constantFrom("+", "-", "*", "/"), operand, (a, operator, b) => {
        fc.pre(operator !== "/" || b !== 0);
        const expected = new Decimal15(a)[methods[operator]](b).toNumber();
        if (Number.isFinite(expected)) expect(calculate(operator, a, b)).toBe(expected === 0 ? 0 : expected);
        else expect(() => calculate(operator, a, b)).toThrow("too large");
      }),
      { numRuns: runs },
    );
  });

  it("rounds as decimals do", { timeout: 600_000 }, () => {
    const modes = {
      "half up": Decimal.ROUND_HALF_UP,
      floor: Decimal.ROUND_FLOOR,
      ceiling: Decimal.ROUND_CEIL,
    } as const;
    fc.assert(
      fc.property(
        operand,
        fc.integer({ min: 0, max: 10 }),
        fc.constantFrom<keyof typeof modes>("half up", "floor", "ceiling"),
        (value, places, mode) => {
          const exact = new Wide(value).toDecimalPlaces(places, modes[mode]);
          const expected = exact.toSignificantDigits(15, Decimal.ROUND_HALF_UP).toNumber();
          expect(roundTo(value, places, mode)).toBe(expected === 0 ? 0 : expected);
        },
      ),
      { numRuns: Math.ceil(runs / 3) },
    );
  });
});
