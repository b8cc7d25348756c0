import { type Decision, toJsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { canonicalForm, isSameJson } from "@decern/core/tools";
import type { MaskNode } from "./masked-places.js";

/**
 * Whether a schema passed an input on as it is, apart from masked places: then no masked value has got anywhere else. It may
 * leave out members, and add those for which it has a default.
 */
export function isPassedThrough(
  given: unknown,
  passed: unknown,
  mask: MaskNode,
  decision: Decision,
): boolean {
  return isPassed(given, passed, mask, () => defaultsOf(decision));
}

function isPassed(
  given: unknown,
  passed: unknown,
  mask: MaskNode | undefined,
  defaults: () => ReadonlySet<string>,
): boolean {
  if (mask?.isMasked === true || given === passed) return true;
  if (typeof passed !== "object" || passed === null || typeof given !== "object" || given === null)
    return isSameJson(passed, given);
  if (Array.isArray(passed)) {
    return (
      Array.isArray(given) &&
      given.length === passed.length &&
      passed.every((item, index) => isPassed(given[index], item, mask?.children.get(`${index}`), defaults))
    );
  }
  const prototype: unknown = Object.getPrototypeOf(passed);
  if (Array.isArray(given) || (prototype !== Object.prototype && prototype !== null)) return false;
  return Object.entries(passed).every(([name, member]) => {
    const inner = mask?.children.get(name);
    if (Object.hasOwn(given, name)) return isPassed(Reflect.get(given, name), member, inner, defaults);
    return inner?.isMasked === true || member === undefined || defaults().has(keyOf(name, member));
  });
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Every default of an input schema, with the name of its member. */
function defaultsOf({ inputSchema }: Decision): ReadonlySet<string> {
  const found = known.get(inputSchema);
  if (found !== undefined) return found;
  const defaults = new Set<string>();
  collect(schemaOf(inputSchema), defaults);
  known.set(inputSchema, defaults);
  return defaults;
}

function schemaOf(schema: Decision["inputSchema"]): unknown {
  try {
    return toJsonSchema(schema);
  } catch {
    return undefined;
  }
}

function collect(node: unknown, defaults: Set<string>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [name, member] of Object.entries(node)) {
    if (isJsonObject(member) && "default" in member) defaults.add(keyOf(name, member["default"]));
    collect(member, defaults);
  }
}

function keyOf(name: string, value: unknown): string {
  return `${name}\n${canonicalForm(value) ?? "?"}`;
}
