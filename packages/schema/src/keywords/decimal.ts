/** A finite number as it is written: `digits` times ten to the power of `exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Reads a number as the decimal that JSON shows for it. Arithmetic on that is exact, where arithmetic on the binary
 * number finds that 0.07 / 0.01 is 7.000000000000001.
 */
export function toDecimal(value: number): Decimal {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
