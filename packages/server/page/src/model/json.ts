/** A JSON object of which nothing more is known. */
export type JsonObject = { readonly [key: string]: unknown };

export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property; never one that the prototype has. */
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

/** JSON for people: two spaces. An absent value is empty text. */
export function pretty(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

export function sameJson(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** A copy of an object with one property set, or left out when the value is undefined. */
export function withProperty(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _removed, ...rest } = object;
  return rest;
}
