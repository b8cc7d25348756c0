import { _, type CodeKeywordDefinition } from "ajv";
import { toDecimal } from "./decimal.js";

/**
 * `multipleOf` in decimal arithmetic. AJV divides binary numbers, and so refuses 0.07 as a multiple of 0.01, and 1e22
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
