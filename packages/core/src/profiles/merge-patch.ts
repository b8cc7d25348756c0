import { isJsonObject } from "../schema/json-schema.js";

/**
 * Applies a JSON Merge Patch (RFC 7396): objects merge at every level, `null` removes a property, anything else replaces.
 * Neither value is changed.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch) || Array.isArray(patch)) return patch;
  const merged = new Map(isJsonObject(target) && !Array.isArray(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Defines what it is given, so that a key called `__proto__` stays a key.
  return Object.fromEntries(merged);
}
