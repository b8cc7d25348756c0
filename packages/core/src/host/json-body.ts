import { DecernError } from "../errors.js";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes the bytes of a request's body. What is not UTF-8 must not be evaluated with other text than was sent.
 *
 * @throws DecernError `INVALID_JSON`
 */
export function jsonText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DecernError("INVALID_JSON");
  }
}

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/gi;

/** Whether a content type names no other charset than UTF-8, the only one of JSON. */
export function isUtf8Type(contentType: string | undefined): boolean {
  if (contentType === undefined || !contentType.includes(";")) return true;
  return [...contentType.matchAll(charset)].every(([, name = ""]) => /^utf-?8$/i.test(name));
}

/** Whether a text can name a forbidden key at all; an escape can spell any. */
const suspicious = /__proto__|constructor|\\u/;

/**
 * Parses the text of a request's body.
 *
 * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key that could reach into a prototype
 */
export function parseJsonBody(text: string): unknown {
  const { value, isSuspicious } = parseJsonText(text);
  if (isSuspicious && hasForbiddenKey(value)) throw new DecernError("FORBIDDEN_KEY");
  return value;
}

/** What a text says, whatever keys it has. */
interface ParsedText {
  readonly value: unknown;
  /** Whether {@link hasForbiddenKey} may find something. */
  readonly isSuspicious: boolean;
}

/**
 * Parses the text of a body whose parts are judged one by one.
 *
 * @throws DecernError `INVALID_JSON`
 */
export function parseJsonText(text: string): ParsedText {
  // Node's own decoders leave a byte order mark in place.
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return { value: JSON.parse(json), isSuspicious: suspicious.test(json) };
  } catch {
    // No cause: the parser's message quotes the body.
    throw new DecernError("INVALID_JSON");
  }
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
