import { MemberOrders } from "./member-orders.js";
import { quoteText } from "./quote-text.js";

/**
 * How far a value is followed, since it may contain itself or share its parts many times over: deeper values are refused by
 * hosts anyway, and no body of usual size has more objects and lists.
 */
const ofAnyValue = { levels: 500, containers: 1_000_000 };
/** What was parsed ends by itself. */
const ofParsed = { levels: Number.POSITIVE_INFINITY, containers: Number.POSITIVE_INFINITY };

/** Writes what JSON cannot carry as it is; `undefined` for what it cannot write either. */
export type WriteForeign = (value: unknown) => string | undefined;

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
 * The canonical JSON text (RFC 8785) of parsed JSON, however large. Texts that {@link canonicalJson} has written can be nested in
 * one another, so whoever reads them needs more levels than whoever wrote them.
 *
 * @param json - what `JSON.parse` returned, or a copy of it
 * @returns `undefined` for text with half a character in it (a lone surrogate)
 * @throws RangeError for some thousands of levels, which the stack has no room for
 */
export function canonicalParsed(json: unknown): string | undefined {
  return new Writer(unwritten, ofParsed).write(json, 0);
}

/**
 * The canonical JSON text (RFC 8785) of what `JSON.stringify` writes of a value, such as the text of a date.
 *
 * @returns `undefined` for a value that JSON cannot write, and for text with half a character in it (a lone surrogate)
 */
export function canonicalForm(value: unknown): string | undefined {
  const text = canonicalJson(value);
  if (text !== undefined) return text;
  try {
    const written: unknown = JSON.stringify(value);
    return typeof written === "string" ? canonicalJson(JSON.parse(written)) : undefined;
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
    if (typeof value === "number") return Number.isFinite(value) ? writeNumber(value) : this.#foreign(value);
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

/** As ECMAScript writes numbers, which is what the RFC asks for. */
function writeNumber(value: number): string {
  // JSON has no negative zero.
  return value === 0 ? "0" : `${value}`;
}
