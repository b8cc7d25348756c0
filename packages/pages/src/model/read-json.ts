import { readNumber } from "./read-number.js";

/** A value that is sent as it was written, or the problem with the text. */
export type JsonReading = { readonly value: unknown } | { readonly problem: string };

/** Matches strings only to skip them, because digits in a string are not a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const longestQuote = 40;

/** Reads JSON. Like a number field, it refuses numbers that JavaScript would write with another value. */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? `Not valid JSON: ${error.message}` : "Not valid JSON" };
  }
  for (const { 0: token, index } of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue;
    const reading = readNumber(token);
    if ("problem" in reading) {
      const quote = token.length > longestQuote ? `${token.slice(0, longestQuote)}…` : token;
      const line = text.slice(0, index).split("\n").length;
      return { problem: `${quote} on line ${line} ${reading.problem}` };
    }
  }
  return { value };
}
