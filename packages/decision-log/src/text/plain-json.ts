import { escapePointer } from "@decern/core/schema";

const plain = /^[ !#-[\]-~]*$/;

/** Writes a text as canonical JSON. Half a character (a lone surrogate), which has no UTF-8 form, becomes U+FFFD. */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(wellFormed(text));
}

export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** A JSON value. Objects have no prototype, so any name is a plain property. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

/** The limit of canonical JSON. */
const maxDepth = 499;
/** A value with more objects and lists contains itself, or shares its parts many times. */
const maxContainers = 1_000_000;
/** A value with more places that JSON cannot carry is left out as a whole. */
const maxRemoved = 100;

interface PlainJson {
  /** `undefined` if nothing is left. */
  readonly json: Json | undefined;
  /** JSON Pointers of what was removed. In a list, `null` stands in its place. */
  readonly removed: readonly string[];
}

/**
 * Copies what JSON can carry of a value.
 *
 * @param pointer - where the value is
 * @throws what a getter or a proxy in it throws
 */
export function plainJson(value: unknown, pointer = ""): PlainJson {
  try {
    const copier = new Copier();
    const json = copier.copy(value, pointer, "", 0);
    return { json, removed: copier.removed };
  } catch (thrown) {
    if (thrown instanceof TooMuch) return { json: undefined, removed: [pointer] };
    throw thrown;
  }
}

class TooMuch extends Error {}

class Copier {
  readonly removed: string[] = [];
  readonly #ancestors = new Set<object>();
  #containersLeft = maxContainers;

  /** @returns `undefined` where JSON has nothing in its place */
  copy(value: unknown, pointer: string, key: string, depth: number): Json | undefined {
    switch (typeof value) {
      case "string":
        return isWellFormed(value) ? value : this.#remove(pointer);
      case "number":
        return Number.isFinite(value) ? value : this.#remove(pointer);
      case "boolean":
        return value;
      case "object":
        return value === null ? null : this.#copyObject(value, pointer, key, depth);
      case "undefined":
        return undefined;
      default:
        return this.#remove(pointer);
    }
  }

  #remove(pointer: string): undefined {
    if (this.removed.length === maxRemoved) throw new TooMuch();
    this.removed.push(wellFormed(pointer));
  }

  #copyObject(object: object, pointer: string, key: string, depth: number): Json | undefined {
    this.#containersLeft -= 1;
    if (this.#containersLeft < 0) throw new TooMuch();
    if (depth > maxDepth || this.#ancestors.has(object)) return this.#remove(pointer);
    this.#ancestors.add(object);
    try {
      if ("toJSON" in object && typeof object.toJSON === "function") {
        const written: unknown = object.toJSON(key);
        // As in JSON, `toJSON` is called once.
        if (typeof written !== "object" || written === null || !("toJSON" in written))
          return this.copy(written, pointer, key, depth + 1);
        return this.#remove(pointer);
      }
      if (Array.isArray(object)) return this.#copyList(object, pointer, depth);
      return hasContentElsewhere(object) ? this.#remove(pointer) : this.#copyMembers(object, pointer, depth);
    } finally {
      this.#ancestors.delete(object);
    }
  }

  #copyList(list: readonly unknown[], pointer: string, depth: number): Json {
    const copied: Json[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index];
      const place = `${pointer}/${index}`;
      const json = this.copy(item, place, `${index}`, depth + 1);
      if (item === undefined) this.#remove(place);
      copied.push(json ?? null);
    }
    return copied;
  }

  #copyMembers(object: object, pointer: string, depth: number): Json {
    const copied = emptyObject();
    for (const name of Object.keys(object)) {
      const place = `${pointer}/${escapePointer(name)}`;
      const json = this.copy(Reflect.get(object, name), place, name, depth + 1);
      if (json === undefined) continue;
      if (isWellFormed(name)) copied[name] = json;
      else this.#remove(place);
    }
    return copied;
  }
}

/** An object in which any name is a plain property. */
export function emptyObject(): JsonObject {
  return Object.assign<JsonObject, object>(Object.create(null), {});
}

/** JSON would write an empty object for these. */
function hasContentElsewhere(value: object): boolean {
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof RegExp ||
    value instanceof Error ||
    value instanceof Promise ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}
