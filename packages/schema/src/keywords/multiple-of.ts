import { _, type CodeKeywordDefinition } from "ajv";
import { toDecimal } from "./decimal.js";

/**
 * `multipleOf` in decimal arithmetic. AJV divides binary numbers, and so refuses 0.07 as a multiple of 0.01, and 1e22
 * as a multiple of 5. TypeBox takes whatever is less than 1e-10 away from a multiple.
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

/** Decimals of so many digits stand for different numbers each, so that the number tells which decimal was meant. */
const exactBelow = 1e15;
/** Powers of ten up to this one are exact as binary numbers. */
const maxScale = 22;

/** Makes the test whether a number is a multiple of another one, both taken as the decimals they are written as. */
function multipleTest(divisor: number): (value: number) => boolean {
  const { digits, exponent } = toDecimal(divisor);
  const places = Math.max(0, -exponent);
  const scaled = Number(digits) * Number(`1e${Math.max(0, exponent)}`);
  if (places > maxScale || scaled >= exactBelow) return (value) => isMultiple(value, digits, exponent);
  const scale = Number(`1e${places}`);
  return (value) => {
    const whole = Math.round(value * scale);
    if (Math.abs(whole) >= exactBelow) return isMultiple(value, digits, exponent);
    // With more decimal places than the divisor has, it is no multiple.
    return whole / scale === value && whole % scaled === 0;
  };
}

/** The same for numbers of any size. No number has more than 17 digits or an exponent beyond 324, so it is little work. */
function isMultiple(value: number, divisor: bigint, exponent: number): boolean {
  const decimal = toDecimal(value);
  const shift = decimal.exponent - exponent;
  const dividend = shift > 0 ? decimal.digits * 10n ** BigInt(shift) : decimal.digits;
  return dividend % (shift < 0 ? divisor * 10n ** BigInt(-shift) : divisor) === 0n;
}
