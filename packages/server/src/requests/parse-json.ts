import { DecernError } from "@decern/core";
import { parse } from "secure-json-parse";

/** Whether a text can name a forbidden key at all; an escape can spell any. */
const suspicious = /__proto__|constructor|\\u/;

/**
 * Parses a request body.
 *
 * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key that could reach into a prototype
 */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // No cause: the parser's message quotes the body.
    throw new DecernError("INVALID_JSON");
  }
  if (!suspicious.test(json)) return value;
  try {
    return parse(json, { protoAction: "error", constructorAction: "error" });
  } catch {
    throw new DecernError("FORBIDDEN_KEY");
  }
}
