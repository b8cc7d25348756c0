import type { Wanted } from "./wanted.js";

/** A number as JSON writes it. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Every whole number of so many digits is exact. */
const exactDigits = 15;

/** Converts a text to the value that the schema expects there. */
export type ValueFromText = (text: string) => unknown;

/**
 * Chooses how texts are read at a place of the input: as a listed value, else as text where the schema takes text, else as a number,
 * boolean, `null`, list or object where it takes them. A text that is none of these stays text, so that the schema's message names it.
 */
export function valueFromText(wanted: Wanted): ValueFromText {
  const literals = new Set(wanted.literals.map((value) => JSON.stringify(value)));
  const takesText = wanted.takes("string");
  if (takesText && literals.size === 0) return (text) => text;
  const [takesNumber, takesBoolean, takesNull, takesList, takesObject] = [
    wanted.takes("number"),
    wanted.takes("boolean"),
    wanted.takes("null"),
    wanted.takes("array"),
    wanted.takes("object"),
  ];
  return (text) => {
    if (literals.has(text)) return JSON.parse(text);
    if (takesText) return text;
    if (takesNumber && isExactNumber(text)) return Number(text);
    // Spreadsheets write TRUE, and pandas True.
    if (takesBoolean && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
    if (takesNull && text === "null") return null;
    if ((takesList && opensWith(text, "[")) || (takesObject && opensWith(text, "{"))) return parsed(text);
    return text;
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

function opensWith(text: string, opening: "[" | "{"): boolean {
  return text.trimStart().startsWith(opening);
}

/** What a text says as JSON, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
