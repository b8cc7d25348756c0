import { isJsonObject } from "@decern/core/schema";

/** Whether a value is equal, as JSON, to one of the schema's. It looks no deeper than that one goes. */
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
  // Last: to count the names of what was sent takes as long as that is large.
  return Object.keys(value).length === names.length;
}
