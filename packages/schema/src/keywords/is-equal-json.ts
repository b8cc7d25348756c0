import { isJsonObject } from "@decern/core/schema";

/** Whether a value equals a value of the schema, as JSON. Never looks deeper than the schema's value goes. */
export function isEqualJson(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return false;
    return expected.every((item, index) => isEqualJson(value[index], item));
  }
  if (!isJsonObject(expected)) return value === expected;
  if (!isJsonObject(value)) return false;
  const names = Object.keys(expected);
  if (!names.every((name) => Object.hasOwn(value, name) && isEqualJson(value[name], expected[name])))
    return false;
  // Last, because counting the keys of a large value takes long.
  return Object.keys(value).length === names.length;
}
