import { DecernError } from "./errors.js";

/** Whether a value is an object but not an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Escapes one reference token of a JSON Pointer (RFC 6901). */
export function escapePointer(token: string): string {
  // Hardly any name needs it.
  if (!token.includes("~") && !token.includes("/")) return token;
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Reads one reference token of a JSON Pointer. */
export function unescapePointer(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The names that lead to what a JSON Pointer points to. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapePointer);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/gi;

/** Whether a content type names no other charset than UTF-8, the only one of JSON. */
export function isUtf8Type(contentType: string | undefined): boolean {
  if (contentType === undefined || !contentType.includes(";")) return true;
  return [...contentType.matchAll(charset)].every(([, name = ""]) => /^utf-?8$/i.test(name));
}

/** Whether a text can name a forbidden key at all; an escape can spell any. */
const suspicious = /__proto__|constructor|\\u/;

/**
 * Parses the text, or the bytes, of a request's body.
 *
 * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key that could reach into a prototype
 */
export function parseJsonBody(body: string | Uint8Array): unknown {
  const { value, isSuspicious } = parseJsonText(body);
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
 * As {@link parseJsonBody}, for a body whose parts are judged one by one.
 *
 * @throws DecernError `INVALID_JSON`
 */
export function parseJsonText(body: string | Uint8Array): ParsedText {
  try {
    // What is not UTF-8 must not be evaluated with other text than was sent.
    const text = typeof body === "string" ? body : utf8.decode(body);
    // Node's own decoders leave a byte order mark in place.
    const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
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

/**
 * Levels of objects and lists that an input or a profile may have. Whatever looks at a value level by level (validators,
 * rules, `JSON.stringify`, `structuredClone`) manages several times as many before the stack ends, also in a small one.
 */
export const maxNesting = 500;

/** More containers than in any body of usual size: the value may contain itself, or share its parts many times over. */
const maxContainers = 1_000_000;

/** Whether a value has more than {@link maxNesting} levels, of plain objects and lists: that is what a caller can send. */
export function isNestedTooDeeply(value: unknown): boolean {
  try {
    if (!isContainer(value) || containersLeft(value, maxNesting, maxContainers) >= 0) return false;
    return hasManyLevels(value);
  } catch {
    // A getter that throws will throw again where the value is needed.
    return false;
  }
}

/**
 * Counts containers down. The result is negative when there are more levels or containers than that. Written for speed:
 * with `Object.values` it takes five times as long.
 */
function containersLeft(
  value: Readonly<Record<string, unknown>>,
  levels: number,
  containers: number,
): number {
  if (levels === 0) return -1;
  let left = containers - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) {
      const inner: unknown = value[index];
      if (isContainer(inner)) left = containersLeft(inner, levels - 1, left);
    }
    return left;
  }
  for (const key in value) {
    if (left < 0) break;
    const inner = value[key];
    if (isContainer(inner)) left = containersLeft(inner, levels - 1, left);
  }
  return left;
}

/** Goes through the levels one after another, and through each container once. */
function hasManyLevels(value: Readonly<Record<string, unknown>>): boolean {
  // Those without containers in them lead nowhere.
  const seen = new Set<object>();
  let level = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxNesting) return true;
    const next: Readonly<Record<string, unknown>>[] = [];
    for (const container of level) {
      if (seen.has(container)) continue;
      const before = next.length;
      for (const inner of Object.values(container)) if (isContainer(inner)) next.push(inner);
      if (next.length > before) seen.add(container);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether JSON carries a value, rather than leaving out the property that holds it. An object may still say so itself, in
 * a `toJSON` that returns nothing; the text of the envelope shows that.
 */
export function hasJsonForm(value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
    case "symbol":
      return false;
    case "function":
      return JSON.stringify(value) !== undefined;
    default:
      return true;
  }
}

/** How much one request may expand to, as a multiple of its body. */
export const mostExpanded = 8;

/** The usual limit of a body, in bytes. Up to {@link mostExpanded} times as much is never too much. */
const usualBody = 1024 * 1024;

/** About how many bytes JSON values have as text. What occurs several times is looked at one time, and counted as often. */
class JsonSizes {
  readonly #known = new Map<object, number>();

  of(value: unknown, levels = maxNesting): number {
    if (typeof value === "string") return value.length + 2;
    if (typeof value !== "object" || value === null) return 5;
    const known = this.#known.get(value);
    // Values with more levels are refused before anything looks into them.
    if (known !== undefined || levels === 0) return known ?? 2;
    let size = 2;
    if (Array.isArray(value)) {
      for (const item of value) size += this.of(item, levels - 1) + 1;
    } else {
      for (const [name, member] of Object.entries(value))
        size += name.length + 4 + this.of(member, levels - 1);
    }
    this.#known.set(value, size);
    return size;
  }
}

export function jsonSize(value: unknown): number {
  return new JsonSizes().of(value);
}

/**
 * Tells whether the evaluations that one body asks for are together too large for it, because they share parts of it: more than
 * eight times the body, and more than 8 MiB.
 *
 * @param values - what is evaluated, each as large as it is for its evaluation
 */
export function expandsTooFar(body: unknown, values: Iterable<unknown>): boolean {
  const sizes = new JsonSizes();
  const most = mostExpanded * Math.max(usualBody, sizes.of(body));
  let size = 0;
  for (const value of values) {
    size += sizes.of(value);
    if (size > most) return true;
  }
  return false;
}
