import { isObject, type JsonObject, own, textOf, withProperty } from "./json.js";
import { pointerTokens } from "./pointer.js";

/** Stands in a record for a value that was removed before the record was written. */
export class Removed {
  readonly isRemoved = true;
}

export const removedText = "removed before writing";

/**
 * Puts a mark in each place from which something was removed.
 *
 * @param pointers - JSON Pointers; those that lead nowhere are ignored
 */
export function markRemoved(root: unknown, pointers: readonly string[], mark: unknown): unknown {
  return pointers.reduce<unknown>((value, pointer) => place(value, pointerTokens(pointer), mark), root);
}

function place(value: unknown, [token, ...rest]: readonly string[], mark: unknown): unknown {
  if (token === undefined) return mark;
  if (Array.isArray(value)) {
    const index = Number(token);
    return value.map((item, at) => (at === index ? place(item, rest, mark) : item));
  }
  if (!isPlain(value)) return value;
  // Only the last token may be absent: without what is around it, there is no place to show it.
  if (rest.length > 0 && !Object.hasOwn(value, token)) return value;
  return withProperty(value, token, place(own(value, token), rest, mark));
}

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof Removed);
}

/** A text for people, also where it was removed. Undefined where there is none. */
export function textOrRemoved(object: JsonObject, key: string): string | undefined {
  return own(object, key) instanceof Removed ? `(${removedText})` : textOf(object, key);
}
