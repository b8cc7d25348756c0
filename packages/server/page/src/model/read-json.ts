import { readNumber } from "./read-number.js";

/** A value that is sent as it was written, or why there is none. */
export type JsonReading = { readonly value: unknown } | { readonly problem: string };

/** Strings are matched to be passed over: what looks like a number in one is none. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const longestQuote = 40;

/** Reads JSON. A number in it that JavaScript would write with another value is refused, as in a field for a number. */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? `No valid JSON: ${error.message}` : "No valid JSON" };
  }
  for (const { 0: token, index } of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue;
    const reading = readNumber(token);
    if ("problem" in reading) {
      const quote = token.length > longestQuote ? `${token.slice(0, longestQuote)}…` : token;
      const line = text.slice(0, index).split("\n").length;
      return { problem: `${quote} in line ${line} ${reading.problem}` };
    }
  }
  return { value };
}
