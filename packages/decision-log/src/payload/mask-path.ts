import { escapePointer } from "@decern/core/schema";
import type { Json, JsonObject } from "./plain-json.js";

/** The tokens of a mask: names, indexes, and `*` for everything on one level. */
export type MaskPath = readonly string[];

/** What was removed from a payload. */
export interface Removed {
  readonly pointers: string[];
  readonly values: Json[];
}

/** Reads a mask, a JSON Pointer (RFC 6901). */
export function parseMaskPath(pointer: string): MaskPath {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Removes what a mask names. In a list, `null` stands in its place. */
export function removeMasked(root: JsonObject, path: MaskPath, removed: Removed, at = ""): void {
  step(root, path, 0, at, removed);
}

/** @returns whether the container itself is to be removed */
function step(container: Json, path: MaskPath, index: number, at: string, removed: Removed): boolean {
  const token = path[index];
  if (token === undefined || typeof container !== "object" || container === null) return false;
  const isLast = index === path.length - 1;
  // Names that a wildcard stands for are data, and a pointer would show them.
  if (isLast && token === "*" && !Array.isArray(container)) return Object.keys(container).length > 0;
  for (const name of namesOf(container, token)) {
    const child = Reflect.get(container, name);
    const place = `${at}/${escapePointer(name)}`;
    if (isLast ? child !== undefined : step(child, path, index + 1, place, removed)) {
      removeMember(container, name, place, removed);
    }
  }
  return false;
}

function namesOf(container: Json[] | JsonObject, token: string): readonly string[] {
  if (token === "*") return Object.keys(container);
  return Object.hasOwn(container, token) && !(Array.isArray(container) && token === "length") ? [token] : [];
}

/** Removes one member of an object or list, and remembers what it was. */
export function removeMember(
  container: Json[] | JsonObject,
  name: string,
  pointer: string,
  removed: Removed,
): void {
  removed.pointers.push(pointer);
  removed.values.push(Reflect.get(container, name));
  if (Array.isArray(container)) container[Number(name)] = null;
  else delete container[name];
}
