import fc from "fast-check";

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(""));

/** Numbers as JSON writes them: short and long, tiny and huge, each in many spellings. */
export const jsonNumber: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(
      fc.constant("0"),
      fc.nat(99).map(String),
      digits(1, 25).map((text) => `1${text}`),
    ),
    fc.oneof(
      fc.constant(""),
      digits(1, 3).map((text) => `.${text}`),
      digits(1, 25).map((text) => `.${text}`),
    ),
    fc.oneof(
      fc.constant(""),
      fc
        .tuple(fc.constantFrom("e", "E", "e+", "E-", "e-"), fc.oneof(fc.nat(30), fc.nat(400)))
        .map((parts) => parts.join("")),
    ),
  )
  .map((parts) => parts.join(""));

/** Doubles as JavaScript writes them, and numbers as people and number inputs write them. */
export const numberText: fc.Arbitrary<string> = fc.oneof(
  jsonNumber,
  fc.double().map(String),
  fc.integer().map(String),
  fc.stringMatching(/^[-+0-9.,eExn_ ]{0,12}$/),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);

/**
 * Whether `JSON.stringify` writes the same number as the text. Compares them as whole numbers after
 * scaling both to the same power of ten.
 */
export function sentAsWritten(text: string): boolean {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (Object.is(value, -0)) return false;
  const [left, right] = [parts(text.trim()), parts(JSON.stringify(value))];
  const power = Math.min(left.power, right.power);
  const scaled = ({ mantissa, power: own }: Parts) => mantissa * 10n ** BigInt(own - power);
  return scaled(left) === scaled(right);
}

/** Whether a text is a number in JSON, by the platform's own parser. */
export function isJsonNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "number";
  } catch {
    return false;
  }
}

interface Parts {
  readonly mantissa: bigint;
  readonly power: number;
}

function parts(text: string): Parts {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { mantissa: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}
