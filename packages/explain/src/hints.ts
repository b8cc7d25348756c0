import type { JsonSchema } from "@decern/core";
import { mapSubschemas } from "@decern/core/schema";

/** More would only spend the budget. */
const maxNumbers = 60;

/** The different numbers in some values, however deep. Rules compare with those of the profile, and fields with one another. */
export function numbersIn(values: readonly unknown[]): readonly number[] {
  const found = new Set<number>();
  let level = values;
  while (level.length > 0 && found.size < maxNumbers) {
    for (const value of level) if (typeof value === "number" && Number.isFinite(value)) found.add(value);
    // Level by level, because the outer ones matter more.
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return [...found].slice(0, maxNumbers);
}

/** The defaults of a schema, which rules see where a profile leaves a member out. */
export function defaultsIn(schema: JsonSchema): readonly unknown[] {
  const found: unknown[] = [];
  const visit = (node: JsonSchema): JsonSchema => {
    if ("default" in node) found.push(node["default"]);
    mapSubschemas(node, visit);
    return node;
  };
  visit(schema);
  return found;
}

/** The different texts in a value, however deep, short enough to be a code. Rules compare fields with those of the profile. */
export function textsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  let level = [value];
  while (level.length > 0 && found.size < maxTexts) {
    for (const one of level) if (typeof one === "string" && one.length <= longestText) found.add(one);
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return [...found].slice(0, maxTexts);
}

const maxTexts = 20;

const longestText = 64;
