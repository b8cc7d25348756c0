import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";
import { isAnnotation } from "./annotations.js";

/**
 * Only `null`. OpenAPI 3.0 has no type for it, and `nullable` applies only beside a `type`. The type is `boolean`, because some
 * generators write code that does not compile for a string or a number without values.
 */
export const nullSchema: SchemaObject = { type: "boolean", nullable: true, enum: [null] };

/** Allows `null` in a union: in its first branch that can be `nullable`, otherwise in one more branch. */
export function withNullBranch(branches: readonly SchemaObject[]): readonly SchemaObject[] {
  const place = branches.findIndex(canBeNullable);
  if (place === -1) return [...branches, nullSchema];
  return branches.map((branch, index) => (index === place ? nullable(branch) : branch));
}

/** Rewrites `anyOf: [A, null]` as A with `nullable`, if A has a type. Does the same in longer unions. */
export function collapseNullUnion(schema: SchemaObject): SchemaObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: union, ...others } = schema;
    if (!Array.isArray(union)) continue;
    const branches = union.filter((one: unknown) => !isNullSchema(one));
    // Two null branches of a `oneOf` exclude each other.
    if (branches.length !== union.length - 1 || !branches.some(canBeNullable)) continue;
    const merged = withNullBranch(branches);
    const [branch] = merged;
    return merged.length === 1 && isAnnotation(others)
      ? { ...branch, ...others }
      : { ...schema, [keyword]: merged };
  }
  return schema;
}

/** Whether a schema has a type that excludes `null`, and no other part that would go on excluding it. */
function canBeNullable(schema: unknown): boolean {
  if (!isJsonObject(schema) || typeof schema["type"] !== "string" || schema["nullable"] === true)
    return false;
  return !["allOf", "anyOf", "oneOf", "not"].some((keyword) => keyword in schema);
}

function nullable(schema: SchemaObject): SchemaObject {
  const { enum: values } = schema;
  return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isNullSchema(schema: unknown): boolean {
  return JSON.stringify(schema) === JSON.stringify(nullSchema);
}
