import type { Wanted } from "./wanted.js";

/** A number as JSON writes it. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Every whole number of so many digits is exact. */
const exactDigits = 15;

/** Converts a text to the JSON that the schema expects there. */
export type JsonFromText = (text: string) => string;

/**
 * Chooses how texts are read at a place of the input: as a listed value, else as text where the schema takes text, else as a number,
 * boolean, `null`, list or object where it takes them. A text that is none of these stays text, so that the schema's message names it.
 */
export function jsonFromText(wanted: Wanted): JsonFromText {
  const literals = new Map(wanted.literals.map((value) => [JSON.stringify(value), JSON.stringify(value)]));
  const takesText = wanted.takes("string");
  if (takesText && literals.size === 0) return (text) => JSON.stringify(text);
  const [takesNumber, takesBoolean, takesNull, takesList, takesObject] = [
    wanted.takes("number"),
    wanted.takes("boolean"),
    wanted.takes("null"),
    wanted.takes("array"),
    wanted.takes("object"),
  ];
  return (text) => {
    const literal = literals.get(text);
    if (literal !== undefined) return literal;
    if (!takesText) {
      if (takesNumber && isExactNumber(text)) return text;
      // Spreadsheets write TRUE, and pandas True.
      if (takesBoolean && /^(?:true|false)$/i.test(text)) return text.toLowerCase();
      if (takesNull && text === "null") return text;
      if ((takesList && isJson(text, "[")) || (takesObject && isJson(text, "{"))) return text;
    }
    return JSON.stringify(text);
  };
}

/** Whether JavaScript can represent a number. Whole numbers that would be rounded don't count: they may be account numbers. */
export function isExactNumber(text: string): boolean {
  if (!numberPattern.test(text)) return false;
  if (text.length <= exactDigits) return !/e/i.test(text) || Number.isFinite(Number(text));
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const [, whole] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return whole === undefined || BigInt(whole) === BigInt(number);
}

function isJson(text: string, opening: "[" | "{"): boolean {
  if (!text.trimStart().startsWith(opening)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
