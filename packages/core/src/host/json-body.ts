import { DecernError } from "../errors.js";

/** Whether a text can name a forbidden key at all; an escape can spell any. */
const suspicious = /__proto__|constructor|\\u/;

/**
 * Parses the text of a request's body.
 *
 * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key that could reach into a prototype
 */
export function parseJsonBody(text: string): unknown {
  // Node's own decoders leave a byte order mark in place.
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    // No cause: the parser's message quotes the body.
    throw new DecernError("INVALID_JSON");
  }
  if (suspicious.test(json) && hasForbiddenKey(body)) throw new DecernError("FORBIDDEN_KEY");
  return body;
}

/**
 * Tells whether anything in a parsed body has a key that could reach into a prototype: `__proto__`, or `constructor` with a
 * `prototype` in it.
 */
export function hasForbiddenKey(body: unknown): boolean {
  const seen = new Set<unknown>();
  const waiting = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    // Bytes have no keys of a caller's.
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) continue;
    seen.add(value);
    if (Object.hasOwn(value, "__proto__")) return true;
    const maker: unknown = Object.hasOwn(value, "constructor") ? value.constructor : undefined;
    if (typeof maker === "object" && maker !== null && Object.hasOwn(maker, "prototype")) {
      return true;
    }
    for (const inner of Object.values(value)) if (typeof inner === "object") waiting.push(inner);
  }
  return false;
}
