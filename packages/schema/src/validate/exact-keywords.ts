import { isJsonObject } from "@decern/core/schema";
import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from "ajv";

/** A finite number as it is written: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Reads a number as the decimal that JSON shows for it. Arithmetic on that is exact, where arithmetic on the binary
 * number finds that 0.07 / 0.01 is 7.000000000000001.
 */
function toDecimal(value: number): Decimal {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/**
 * `multipleOf` in decimal arithmetic. AJV divides binary numbers, and so rejects 0.07 as a multiple of 0.01, and 1e22
 * as a multiple of 5. TypeBox accepts every number less than 1e-10 away from a multiple.
 */
export const multipleOfKeyword: CodeKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: { message: "", params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
  code: (context) => {
    const isMultiple = context.gen.scopeValue("func", { ref: multipleTest(context.schema) });
    context.pass(_`${isMultiple}(${context.data})`);
  },
};

/** Below this, every decimal is a different binary number, so the number identifies the decimal. */
const exactBelow = 1e15;

/** Powers of ten up to this one are exact as binary numbers. */
const maxScale = 22;

/** Returns a test for multiples of a number. Both numbers are read as the decimals they are written as. */
function multipleTest(divisor: number): (value: number) => boolean {
  const { digits, exponent } = toDecimal(divisor);
  const places = Math.max(0, -exponent);
  const scaled = Number(digits) * Number(`1e${Math.max(0, exponent)}`);
  if (places > maxScale || scaled >= exactBelow) return (value) => isMultiple(value, digits, exponent);
  const scale = Number(`1e${places}`);
  return (value) => {
    const whole = Math.round(value * scale);
    if (Math.abs(whole) >= exactBelow) return isMultiple(value, digits, exponent);
    // A number with more decimal places than the divisor is not a multiple.
    return whole / scale === value && whole % scaled === 0;
  };
}

/** The same for numbers of any size. Cheap, because a number has at most 17 digits and an exponent of at most 324. */
function isMultiple(value: number, divisor: bigint, exponent: number): boolean {
  const decimal = toDecimal(value);
  const shift = decimal.exponent - exponent;
  const dividend = shift > 0 ? decimal.digits * 10n ** BigInt(shift) : decimal.digits;
  return dividend % (shift < 0 ? divisor * 10n ** BigInt(-shift) : divisor) === 0n;
}

/** Whether a value equals a value of the schema, as JSON. Never looks deeper than the schema's value goes. */
function isEqualJson(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return false;
    return expected.every((item, index) => isEqualJson(value[index], item));
  }
  if (!isJsonObject(expected)) return value === expected;
  if (!isJsonObject(value)) return false;
  const names = Object.keys(expected);
  if (!names.every((name) => Object.hasOwn(value, name) && isEqualJson(value[name], expected[name])))
    return false;
  // Last, because counting the keys of a large value takes long.
  return Object.keys(value).length === names.length;
}

/** With this many values or more, a lookup replaces one comparison after another. */
const manyValues = 200;

/**
 * `const` and `enum`. When the schema's value is an object or a list, AJV's own versions call `valueOf` and `toString` of
 * the caller's value, which can hold anything under those names.
 */
export const equalityKeywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: "const",
    error: { message: "", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    code: (context) => context.pass(isOneOf(context, [context.schema])),
  },
  {
    keyword: "enum",
    schemaType: "array",
    error: { message: "", params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    code: (context) => context.pass(isOneOf(context, context.schema)),
  },
];

function isOneOf({ gen, data }: KeywordCxt, values: readonly unknown[]): Code {
  if (values.length < manyValues && values.every(isScalar)) {
    return values.map((value) => _`${data} === ${value}`).reduce((some, next) => _`${some} || ${next}`);
  }
  const matches = gen.scopeValue("func", { ref: matcher(values) });
  return _`${matches}(${data})`;
}

function matcher(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set<unknown>(values.filter(isScalar));
  const others = values.filter((value) => !isScalar(value));
  return (value) => scalars.has(value) || others.some((other) => isEqualJson(value, other));
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Whether all items of a list differ as JSON. Takes time proportional to the size of the list, not to its square. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (scalars.has(item)) return false;
      scalars.add(item);
    } else {
      const text = canonicalText(item, 1);
      if (texts.has(text)) return false;
      texts.add(text);
    }
  }
  return true;
}

/**
 * How deep items are compared. In nested lists with `uniqueItems`, each level reads everything below it again.
 */
const maxDepth = 32;

/** JSON text that is equal for equal values, regardless of key order. */
function canonicalText(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > maxDepth) throw new RangeError("Items are nested too deeply to be compared");
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner, depth + 1)}`);
  return `{${texts.join()}}`;
}
