import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";

/** Where a field is: names of properties and indices of lists. */
export type Path = readonly (string | number)[];

/** A path as a JSON Pointer. */
export function pointerOf(path: Path): string {
  return path.map((token) => `/${escapePointer(String(token))}`).join("");
}

/**
 * A copy of a value with one field replaced. What does not lead to the field is shared with the original.
 *
 * @param value - `undefined` leaves the field out
 */
export function replaceAt(root: unknown, path: Path, value: unknown): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    const list: unknown[] = [...root];
    if (typeof token === "number") list[token] = replaceAt(list[token], rest, value);
    return list;
  }
  if (!isJsonObject(root) || typeof token === "number") return root;
  const inner = replaceAt(Object.hasOwn(root, token) ? root[token] : undefined, rest, value);
  const members = Object.entries(root).filter(([name]) => name !== token);
  if (inner === undefined) return Object.fromEntries(members);
  // The order of properties stays, since the rules may see it. `fromEntries` defines `__proto__` like any other name.
  if (!Object.hasOwn(root, token)) return Object.fromEntries([...members, [token, inner]]);
  return Object.fromEntries(Object.entries(root).map(([name, old]) => [name, name === token ? inner : old]));
}
