import { isJsonObject } from "./json.js";

/** What stands in JSON as it is. */
const plainText = /^[^"\\\p{Surrogate}\p{Cc}]*$/u;

/**
 * Writes a text as canonical JSON.
 *
 * @returns `undefined` for a lone surrogate, which has no UTF-8 form
 */
function quoteText(text: string): string | undefined {
  if (plainText.test(text)) return `"${text}"`;
  return /\p{Surrogate}/u.test(text) ? undefined : JSON.stringify(text);
}

/** A member of an object, ready to be written. */
interface Member {
  readonly key: string;
  /** Its name and the colon, for the first member that is written; `undefined` for a name that has no UTF-8 form. */
  readonly first: string | undefined;
  /** The same with a comma before it. */
  readonly further: string;
}

interface MemberOrder {
  /** The names as objects have them. */
  readonly keys: readonly string[];
  /** In canonical order. */
  readonly members: readonly Member[];
}

const slots = 256;
const mostKeys = 64;

/** Names come from callers: what is remembered of them is bounded. */
const longestKeys = 2000;

/** Sorts and quotes the names of an object's members, once for many objects that have the same ones. */
class MemberOrders {
  /** Objects of other names may have the same place, and take it. */
  readonly #known: (MemberOrder | undefined)[] = Array.from({ length: slots }, () => undefined);

  /** @param keys - the names in the order in which the object has them */
  of(keys: readonly string[]): readonly Member[] {
    if (keys.length > mostKeys) return inOrder(keys);
    const slot = slotOf(keys);
    const known = this.#known[slot];
    if (known !== undefined && areSame(known.keys, keys)) return known.members;
    const members = inOrder(keys);
    if (keys.reduce((sum, key) => sum + key.length, 0) <= longestKeys) this.#known[slot] = { keys, members };
    return members;
  }
}

/** By the first and last name, and how many there are. */
function slotOf(keys: readonly string[]): number {
  const first = keys[0] ?? "";
  const last = keys[keys.length - 1] ?? "";
  const mixed = keys.length * 31 + first.length * 7 + last.length * 13;
  return (mixed + codeOf(first) * 3 + codeOf(last) * 5) % slots;
}

function codeOf(text: string): number {
  return text === "" ? 0 : text.charCodeAt(text.length - 1);
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** By their UTF-16 code units, as RFC 8785 asks. */
function inOrder(keys: readonly string[]): readonly Member[] {
  return [...keys].sort().map((key) => {
    const name = quoteText(key);
    return { key, first: name && `${name}:`, further: `,${name}:` };
  });
}

/**
 * How far a value is followed, since it may contain itself or share its parts many times over: deeper values are refused by
 * hosts anyway, and no body of usual size has more objects and lists.
 */
const ofAnyValue = { levels: 500, containers: 1_000_000 };

/** What was parsed ends by itself, however large. */
const ofParsed = { levels: Number.POSITIVE_INFINITY, containers: Number.POSITIVE_INFINITY };

/** Writes what JSON cannot carry as it is; `undefined` for what it cannot write either. */
type WriteForeign = (value: unknown) => string | undefined;

/**
 * The canonical JSON text of a value (RFC 8785): equal for equal JSON, whatever the order of the properties.
 *
 * @param foreign - writes what JSON cannot carry as it is, such as a date or `NaN`. @default nothing can be written then
 * @returns `undefined` for a value that cannot be written: one with a cycle, an instance of a class, or a getter that throws
 */
export function canonicalJson(value: unknown, foreign: WriteForeign = unwritten): string | undefined {
  try {
    return new Writer(foreign, ofAnyValue).write(value, 0);
  } catch {
    // A getter or a proxy threw.
    return undefined;
  }
}

/**
 * The canonical JSON text (RFC 8785) of what `JSON.stringify` writes of a value, such as the text of a date, however large.
 *
 * @returns `undefined` for a value that JSON cannot write, for text with half a character in it (a lone surrogate), and for some
 *   thousands of levels, which the stack has no room for
 */
export function canonicalForm(value: unknown): string | undefined {
  const text = canonicalJson(value);
  if (text !== undefined) return text;
  try {
    const written: unknown = JSON.stringify(value);
    // Texts that `canonicalJson` has written can be nested in one another, so they may have more levels than it writes.
    return typeof written === "string"
      ? new Writer(unwritten, ofParsed).write(JSON.parse(written), 0)
      : undefined;
  } catch {
    return undefined;
  }
}

function unwritten(): undefined {
  return undefined;
}

const memberOrders = new MemberOrders();

class Writer {
  readonly #foreign: WriteForeign;
  readonly #levels: number;
  #containersLeft: number;

  constructor(foreign: WriteForeign, { levels, containers }: typeof ofAnyValue) {
    this.#foreign = foreign;
    this.#levels = levels;
    this.#containersLeft = containers;
  }

  write(value: unknown, depth: number): string | undefined {
    if (typeof value === "string") return quoteText(value) ?? this.#foreign(value);
    // As ECMAScript writes numbers, which is what the RFC asks for.
    if (typeof value === "number") return Number.isFinite(value) ? `${value}` : this.#foreign(value);
    if (value === null) return "null";
    if (typeof value === "boolean") return value ? "true" : "false";
    if (typeof value !== "object") return this.#foreign(value);
    this.#containersLeft -= 1;
    if (depth === this.#levels || this.#containersLeft < 0) return undefined;
    // JSON asks functions only: a member of a caller's object may have that name.
    if ("toJSON" in value && typeof value.toJSON === "function") return this.#foreign(value);
    if (Array.isArray(value)) return this.#writeList(value, depth + 1);
    const prototype: unknown = Object.getPrototypeOf(value);
    const isPlain =
      prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
    return isPlain ? this.#writeObject(value, depth + 1) : this.#foreign(value);
  }

  #writeList(list: readonly unknown[], depth: number): string | undefined {
    let text = "[";
    for (let index = 0; index < list.length; index += 1) {
      const item = this.write(list[index], depth);
      if (item === undefined) return undefined;
      text += index === 0 ? item : `,${item}`;
    }
    return `${text}]`;
  }

  #writeObject(object: object, depth: number): string | undefined {
    let text = "{";
    for (const { key, first, further } of memberOrders.of(Object.keys(object))) {
      const property: unknown = Reflect.get(object, key);
      const written = this.write(property, depth);
      // Left out, as JSON does.
      if (property === undefined && written === undefined) continue;
      if (written === undefined || first === undefined) return undefined;
      text += (text.length === 1 ? first : further) + written;
    }
    return `${text}}`;
  }
}

/** Whether two values are the same JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return equalsJson(one, other) ?? canonicalForm(one) === canonicalForm(other);
}

/**
 * Whether JSON carries a value as `json`, whatever the order of properties.
 *
 * @param json - plain JSON, such as `JSON.parse` returns
 * @returns `undefined` where only writing it tells: a date, an instance of a class, a number that is not finite
 */
export function equalsJson(value: unknown, json: unknown): boolean | undefined {
  // `for` is faster than a list of names, but goes by inherited members too.
  for (const _inherited in {}) return undefined;
  return equalsPlain(value, json);
}

function equalsPlain(value: unknown, json: unknown): boolean | undefined {
  if (typeof value === "object") {
    if (value === null) return json === null;
    const { toJSON }: { readonly toJSON?: unknown } = value;
    if (toJSON !== undefined) return undefined;
    if (Array.isArray(value)) return equalsList(value, json);
    const prototype: unknown = Object.getPrototypeOf(value);
    const isPlain = prototype === Object.prototype || prototype === null;
    return isPlain && isJsonObject(value) ? equalsObject(value, json) : undefined;
  }
  // JSON has no negative zero, and `===` has only one zero.
  if (typeof value === "number") return Number.isFinite(value) ? value === json : undefined;
  return typeof value === "string" || typeof value === "boolean" ? value === json : undefined;
}

function equalsList(list: readonly unknown[], json: unknown): boolean | undefined {
  if (!Array.isArray(json) || json.length !== list.length) return false;
  let known: boolean | undefined = true;
  for (let index = 0; index < list.length; index += 1) {
    const same = equalsPlain(list[index], json[index]);
    if (same === false) return false;
    if (same === undefined) known = undefined;
  }
  return known;
}

function equalsObject(object: Readonly<Record<string, unknown>>, json: unknown): boolean | undefined {
  if (!isJsonObject(json)) return false;
  let known: boolean | undefined = true;
  let left = 0;
  for (const _key in json) left += 1;
  for (const key in object) {
    const member = object[key];
    // Left out, as JSON does.
    if (member === undefined) continue;
    left -= 1;
    const other = json[key];
    // Nothing that objects inherit is a text or a flag.
    if (member === other && (typeof member === "string" || typeof member === "boolean")) continue;
    // JSON leaves functions, symbols and what returns nothing out.
    const same = Object.hasOwn(json, key) ? equalsPlain(member, other) : equalsPlain(member, member) && false;
    if (same === false) return false;
    if (same === undefined) known = undefined;
  }
  return left === 0 ? known : known && false;
}
