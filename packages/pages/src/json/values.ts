/** Any JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property, never an inherited one. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" ? value : undefined;
}

export function numberOf(object: JsonObject, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === "number" ? value : undefined;
}

export function listOf(object: JsonObject, key: string): readonly unknown[] | undefined {
  const value = own(object, key);
  return Array.isArray(value) ? value : undefined;
}

/** What something that was thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Characters that change the direction of text or are not seen, which would make code look different from what it does. */
const hiddenCharacters = /[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** JSON for people: two spaces, characters that are not seen as escapes. An absent value is empty text. */
export function pretty(value: unknown): string {
  if (value === undefined) return "";
  return JSON.stringify(value, null, 2).replaceAll(
    hiddenCharacters,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whether two values are the same JSON; the order of an object's keys does not count. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  // JSON has no undefined, so such a property counts as absent.
  const keys = (object: JsonObject) => Object.keys(object).filter((key) => object[key] !== undefined);
  const names = keys(left);
  return names.length === keys(right).length && names.every((name) => sameJson(left[name], own(right, name)));
}

/** A copy of an object with one property set, or left out when the value is undefined. */
export function withProperty(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _removed, ...rest } = object;
  return rest;
}

/** Writes a path as JSON Pointer (RFC 6901). */
export function toPointer(path: Path): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The names and indices in a JSON Pointer. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Reads the value that a JSON Pointer points to. */
export function readPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointerTokens(pointer)) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value)) value = own(value, key);
    else return undefined;
  }
  return value;
}

/** The place one level up; the empty pointer has none. */
export function parentPointer(pointer: string): string | undefined {
  const slash = pointer.lastIndexOf("/");
  return slash < 0 ? undefined : pointer.slice(0, slash);
}
