/**
 * Arithmetic of tables and models: on doubles, with each result as decimal arithmetic of 15 significant digits has it, so that
 * `0.1 + 0.2` is `0.3`. Halves are rounded away from zero. Doubles decide where their error cannot change the 15 digits, and whole numbers of any length
 * elsewhere.
 */
type Operator = "+" | "-" | "*" | "/";

const digits = 15;

/** Half of the distance between 1 and the next double. */
const halfUlp = 2 ** -53;

/** Adding 0 gives what JavaScript computed its 15 digits. @throws RangeError for a division by zero, for a root of a negative number, and for a result that no double holds */
export function calculate(operator: Operator | "**", a: number, b: number): number {
  if (operator === "**") return power(a, b);
  if (operator !== "/" && isSmallInteger(a) && isSmallInteger(b)) {
    const exact = approximate(operator, a, b);
    // JSON has no negative zero.
    if (Math.abs(exact) < 1e15) return exact === 0 ? 0 : exact;
  }
  if (operator === "/" && b === 0) throw new RangeError("division by zero");
  const short = ofShortDecimals(operator, a, b);
  if (short !== undefined) return short;
  const near = approximate(operator, a, b);
  if (!Number.isFinite(near)) throw new RangeError(`${a} ${operator} ${b} is too large`);
  if (!isTiny(a) && !isTiny(b) && !isTiny(near)) {
    const error = errorOf(operator, a, b, near);
    const low = (near - error).toPrecision(digits);
    if (low === (near + error).toPrecision(digits)) return finite(Number(low));
  }
  return exactly(operator, a, b);
}

/** Powers of ten that doubles hold exactly. */
const powersOf10 = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Whole numbers up to it have 15 digits, or are 1 and zeros, and doubles hold their products with small powers of ten exactly. */
const largestMantissa = 1e15;

/**
 * The result where both operands are written with few decimal places, and none of the whole numbers without their points has more
 * than 15 digits. A whole number divided by a power of ten is the double nearest to that decimal.
 */
function ofShortDecimals(operator: Operator, a: number, b: number): number | undefined {
  const [placesOfA, placesOfB] = [placesOf(a), placesOf(b)];
  if (placesOfA === undefined || placesOfB === undefined) return undefined;
  const places = Math.max(placesOfA, placesOfB);
  if (operator === "*") {
    const product = mantissaOf(a, placesOfA) * mantissaOf(b, placesOfB);
    return shortDecimal(product, placesOfA + placesOfB);
  }
  const [first, second] = [mantissaOf(a, places), mantissaOf(b, places)];
  if (Math.abs(first) > largestMantissa || Math.abs(second) > largestMantissa) return undefined;
  if (operator === "/") return longDivision(first, second);
  return shortDecimal(operator === "+" ? first + second : first - second, places);
}

const mostPlaces = 9;

/** How many decimal places a double is written with; undefined for many, and for many digits. */
function placesOf(value: number): number | undefined {
  for (let places = 0; places <= mostPlaces; places += 1) {
    const mantissa = mantissaOf(value, places);
    if (Math.abs(mantissa) > largestMantissa) return undefined;
    if (mantissa / (powersOf10[places] ?? 1) === value) return places;
  }
  return undefined;
}

function mantissaOf(value: number, places: number): number {
  return Math.round(value * (powersOf10[places] ?? 1));
}

function shortDecimal(mantissa: number, places: number): number | undefined {
  if (Math.abs(mantissa) > largestMantissa) return undefined;
  const value = mantissa / (powersOf10[places] ?? 1);
  return value === 0 ? 0 : value;
}

/** Up to it, a remainder followed by seven zeros is a whole number that doubles hold exactly. */
const largestDivisor = 9e8;

const digitsOfAStep = 7;

/** A quotient of whole numbers to 15 digits, by long division. */
function longDivision(dividend: number, divisor: number): number | undefined {
  const [whole, by] = [Math.abs(dividend), Math.abs(divisor)];
  if (by > largestDivisor) return undefined;
  let mantissa = Math.floor(whole / by);
  let rest = whole - mantissa * by;
  // The logarithm may be off by one, which the last mantissa shows.
  const places = rest === 0 ? 0 : digits - 1 - Math.floor(Math.log10(whole / by));
  const power = powersOf10[places];
  if (power === undefined) return undefined;
  for (let left = places; left > 0; left -= digitsOfAStep) {
    const shift = powersOf10[Math.min(left, digitsOfAStep)] ?? 1;
    const next = Math.floor((rest * shift) / by);
    rest = rest * shift - next * by;
    mantissa = mantissa * shift + next;
  }
  if (places > 0 && (mantissa < largestMantissa / 10 || mantissa >= largestMantissa)) return undefined;
  if (2 * rest >= by) mantissa += 1;
  const size = mantissa / power;
  return size === 0 || dividend < 0 === divisor < 0 ? size : -size;
}

function isSmallInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e15;
}

/** So near to zero that a double has fewer digits. */
function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < 1e-290;
}

function approximate(operator: Operator, a: number, b: number): number {
  if (operator === "+") return a + b;
  if (operator === "-") return a - b;
  return operator === "*" ? a * b : a / b;
}

/** How far a double is at most from the result of the decimals that its operands are written as. */
function errorOf(operator: Operator, a: number, b: number, near: number): number {
  const size = Math.abs(near);
  // An operand differs from its decimal by half a unit of its last place, and so does a result.
  if (operator === "+" || operator === "-") return halfUlp * 1.01 * (Math.abs(a) + Math.abs(b) + 2 * size);
  return halfUlp * 4.1 * size;
}

/** A decimal: `mantissa × 10^exponent`. */
interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** The decimal that a double is written as. */
function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = `${value}`.split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { mantissa: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function powerOf10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function exactly(operator: Operator, left: number, right: number): number {
  const a = decimalOf(left);
  const b = decimalOf(right);
  if (operator === "*")
    return rounded({ mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent });
  if (operator === "/") return quotient(a, b);
  // The smaller one changes nothing but a tie, and a million zeros are not written out.
  const exponent = Math.min(a.exponent, b.exponent);
  const first = a.mantissa * powerOf10(a.exponent - exponent);
  const second = b.mantissa * powerOf10(b.exponent - exponent);
  return rounded({ mantissa: operator === "+" ? first + second : first - second, exponent });
}

function quotient(a: Decimal, b: Decimal): number {
  // Enough for 15 digits and one that tells what is below them.
  const shift = digits + 2 + `${b.mantissa}`.length;
  const scaled = a.mantissa * powerOf10(shift);
  const whole = scaled / b.mantissa;
  const isExact = whole * b.mantissa === scaled;
  // A digit that is not zero says that something follows.
  const sign = a.mantissa < 0n === b.mantissa < 0n ? 1n : -1n;
  const mantissa = whole * 10n + (isExact ? 0n : sign);
  return rounded({ mantissa, exponent: a.exponent - b.exponent - shift - 1 });
}

/** To 15 significant digits. */
function rounded({ mantissa, exponent }: Decimal): number {
  const length = `${mantissa < 0n ? -mantissa : mantissa}`.length;
  const surplus = Math.max(0, length - digits);
  return toNumber(divided(mantissa, surplus, "half up"), exponent + surplus);
}

/** `half up` and `half down` round away from zero and towards it, and `half even` to the even neighbour. */
type Rounding = "up" | "down" | "floor" | "ceiling" | "half up" | "half down" | "half even";

/** @returns `mantissa / 10^places` as a whole number */
function divided(mantissa: bigint, places: number, rounding: Rounding): bigint {
  if (places === 0) return mantissa;
  // So far below the first place that only what is nearest to zero matters.
  const unit = powerOf10(Math.min(places, 400));
  const whole = mantissa / unit;
  const rest = mantissa % unit;
  if (rest === 0n) return whole;
  return isRoundedAway(whole, rest, unit, rounding) ? whole + (rest < 0n ? -1n : 1n) : whole;
}

function isRoundedAway(whole: bigint, rest: bigint, unit: bigint, rounding: Rounding): boolean {
  if (rounding === "up") return true;
  if (rounding === "down") return false;
  if (rounding === "floor") return rest < 0n;
  if (rounding === "ceiling") return rest > 0n;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  if (twice !== unit) return twice > unit;
  return rounding === "half up" || (rounding === "half even" && whole % 2n !== 0n);
}

function toNumber(mantissa: bigint, exponent: number): number {
  return finite(Number(`${mantissa}e${exponent}`));
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError("the result is too large");
  // JSON has no negative zero.
  return value === 0 ? 0 : value;
}

/** Rounds to a number of decimal places. @throws RangeError for a value that is not finite */
export function roundTo(value: number, places: number, rounding: Rounding): number {
  if (!Number.isFinite(value)) throw new RangeError("the result is too large");
  const { mantissa, exponent } = decimalOf(value);
  const surplus = -places - exponent;
  if (surplus <= 0) return rounded({ mantissa, exponent });
  return rounded({ mantissa: divided(mantissa, surplus, rounding), exponent: -places });
}

/** To 15 significant digits, as results are. @throws RangeError for a value that is not finite */
function toResult(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError("the result is not a number");
  return calculate("+", value, 0);
}

/** With more digits than a result has, so that the errors of many factors don't add up. */
const powerDigits = 40;

function power(base: number, exponent: number): number {
  if (!Number.isSafeInteger(exponent)) return toResult(base ** exponent);
  if (base === 0 || Math.abs(base) === 1) return toResult(base ** exponent);
  if (!Number.isFinite(base ** exponent)) throw new RangeError("the result is too large");
  let result: Decimal = { mantissa: 1n, exponent: 0 };
  let square = decimalOf(base);
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = shortProduct(result, square);
    if (rest > 1) square = shortProduct(square, square);
  }
  return exponent < 0 ? quotient({ mantissa: 1n, exponent: 0 }, result) : rounded(result);
}

function shortProduct(a: Decimal, b: Decimal): Decimal {
  const mantissa = a.mantissa * b.mantissa;
  const surplus = Math.max(0, `${mantissa}`.length - powerDigits);
  return { mantissa: divided(mantissa, surplus, "half even"), exponent: a.exponent + b.exponent + surplus };
}
