import { calculate, roundTo } from "@decern/core/tools";
import { DaysDuration, MonthsDuration } from "../values/durations.js";
import { decimalOf } from "../values/text.js";
import { builtIn, overload } from "./define.js";

type Rounding = Parameters<typeof roundTo>[2];

/** IEEE decimals have these places. */
const fewestPlaces = -6111;
const mostPlaces = 6176;

/** @returns undefined for places that a decimal does not have, and for a result that no double holds */
function rounded(value: number, places: number, rounding: Rounding): number | undefined {
  const whole = Math.trunc(places);
  if (whole < fewestPlaces || whole > mostPlaces) return undefined;
  // A double has no digit there.
  if (whole > 400) return value;
  return orNone(() => roundTo(value, whole, rounding));
}

/** A result that does not exist: the logarithm of 0, or one that is too large. */
export function orNone(calculation: () => number): number | undefined {
  try {
    return calculation();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The rest of a division that is rounded down: it has the sign of the divisor. A quotient may have more than 15 digits. */
function modulo(dividend: number, divisor: number): number | undefined {
  if (divisor === 0) return undefined;
  const [a, b] = [decimalOf(dividend), decimalOf(divisor)];
  const places = Math.max(a.places, b.places);
  const by = b.whole * 10n ** BigInt(places - b.places);
  const rest = (a.whole * 10n ** BigInt(places - a.places)) % by;
  const isOpposite = rest !== 0n && rest < 0n !== by < 0n;
  return calculate("+", Number(`${isOpposite ? rest + by : rest}e-${places}`), 0);
}

function rounding(name: string, by: Rounding) {
  return builtIn(
    name,
    "number",
    overload(
      [
        ["n", "number"],
        ["scale", "number"],
      ],
      ([n, scale]) => rounded(n, scale, by),
    ),
  );
}

export const numericFunctions = [
  rounding("decimal", "half even"),
  builtIn(
    "floor",
    "number",
    overload([["n", "number"]], ([n]) => rounded(n, 0, "floor")),
    overload(
      [
        ["n", "number"],
        ["scale", "number"],
      ],
      ([n, scale]) => rounded(n, scale, "floor"),
    ),
  ),
  builtIn(
    "ceiling",
    "number",
    overload([["n", "number"]], ([n]) => rounded(n, 0, "ceiling")),
    overload(
      [
        ["n", "number"],
        ["scale", "number"],
      ],
      ([n, scale]) => rounded(n, scale, "ceiling"),
    ),
  ),
  rounding("round up", "up"),
  rounding("round down", "down"),
  rounding("round half up", "half up"),
  rounding("round half down", "half down"),
  builtIn(
    "abs",
    "number",
    overload([["n", "number"]], ([n]) => Math.abs(n)),
    overload([["n", "days and time duration"]], ([n]) => DaysDuration.of(n.nanos < 0n ? -n.nanos : n.nanos)),
    overload([["n", "years and months duration"]], ([n]) => MonthsDuration.of(Math.abs(n.months))),
  ),
  builtIn(
    "modulo",
    "number",
    overload(
      [
        ["dividend", "number"],
        ["divisor", "number"],
      ],
      ([dividend, divisor]) => modulo(dividend, divisor),
    ),
  ),
  builtIn(
    "sqrt",
    "number",
    overload([["number", "number"]], ([value]) => orNone(() => calculate("+", Math.sqrt(value), 0))),
  ),
  builtIn(
    "log",
    "number",
    overload([["number", "number"]], ([value]) => orNone(() => calculate("+", Math.log(value), 0))),
  ),
  builtIn(
    "exp",
    "number",
    overload([["number", "number"]], ([value]) => orNone(() => calculate("+", Math.exp(value), 0))),
  ),
  builtIn(
    "odd",
    "boolean",
    overload([["number", "number"]], ([value]) => Math.abs(value % 2) === 1),
  ),
  builtIn(
    "even",
    "boolean",
    overload([["number", "number"]], ([value]) => value % 2 === 0),
  ),
];

export function mean(values: readonly number[]): number | undefined {
  const total = sum(values);
  return total === undefined || values.length === 0
    ? undefined
    : orNone(() => calculate("/", total, values.length));
}

export function sum(values: readonly number[]): number | undefined {
  return orNone(() => values.reduce((total, value) => calculate("+", total, value), 0));
}
