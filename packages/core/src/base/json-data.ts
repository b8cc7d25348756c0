import type { Problem } from "./errors.js";
import { escapePointer, isJsonObject } from "./json-schema.js";

/** Deeper than anybody writes, and far from where the stack ends. */
const maxDepth = 500;

/** Everything in a value that JSON cannot carry as it is, with its path. A property that is `undefined` is left out, as JSON does. */
export function jsonProblems(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  // A document may have a hundred thousand values: their paths are made where one of them is wrong.
  if (!isJson(value, [])) find(value, "", [], problems);
  return problems;
}

/** @param parents - what it is in */
function isJson(value: unknown, parents: object[]): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object") return typeof value === "number" && Number.isFinite(value);
  if (parents.length > maxDepth || parents.includes(value)) return false;
  parents.push(value);
  try {
    if (!isPlain(value)) return false;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) if (!isJson(value[index], parents)) return false;
      return true;
    }
    for (const key of Object.keys(value)) {
      const member: unknown = Reflect.get(value, key);
      if (member !== undefined && !isJson(member, parents)) return false;
    }
    return true;
  } catch {
    // A getter or a proxy that throws.
    return false;
  } finally {
    parents.pop();
  }
}

function find(value: unknown, path: string, parents: readonly object[], problems: Problem[]): void {
  const report = (message: string): void => void problems.push({ path, message });
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) report("must be JSON; numbers must be finite");
    return;
  }
  if (typeof value !== "object") return report(`must be JSON, which cannot represent a ${typeof value}`);
  if (parents.includes(value)) return report("must be JSON, which cannot contain circular references");
  if (parents.length > maxDepth) return report("is nested too deeply");
  let entries: readonly (readonly [string, unknown])[];
  try {
    if (!isPlain(value)) return report("must be JSON: a plain object, not a class instance");
    entries = Array.isArray(value)
      ? Array.from(value, (item, index) => [String(index), item])
      : Object.entries(value).filter(([, item]) => item !== undefined);
  } catch {
    return report("must be JSON, but reading it failed");
  }
  const below = [...parents, value];
  for (const [key, item] of entries) find(item, `${path}/${escapePointer(key)}`, below, problems);
}

function isPlain(value: object): boolean {
  if ("toJSON" in value && typeof value.toJSON === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A frozen copy of JSON data, without members that are `undefined`.
 *
 * @param json - that was found to be JSON, so that it isn't nested too deeply
 */
export function frozenJson<T>(json: T): T;

export function frozenJson(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return Object.freeze(json.map(frozenJson));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(json)) {
    const value = frozenJson<unknown>(Reflect.get(json, key));
    if (key === "__proto__") Object.defineProperty(copy, key, { value, enumerable: true });
    else if (value !== undefined) copy[key] = value;
  }
  return Object.freeze(copy);
}

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
