import type { Problem } from "../errors.js";
import { escapePointer } from "../program/validation.js";

/** Deeper than anybody writes, and far from where the stack ends. */
const maxDepth = 500;

/** Everything in a value that JSON cannot carry as it is, with its path. A property that is `undefined` is left out, as JSON does. */
export function jsonProblems(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  find(value, "", [], problems);
  return problems;
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
