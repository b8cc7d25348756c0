import type { JsonSchema } from "@decern/core";
import { isExact } from "./is-exact.js";

/**
 * Expresses `if` and `contains`, which OpenAPI 3.0 lacks, with `not`, `anyOf` and `allOf`. Leaves out the negation of a schema
 * that the dialect widens, because it would be too narrow.
 */
export function withoutConditions(schema: JsonSchema, exactRefs: boolean): JsonSchema {
  if (!("if" in schema) && !("contains" in schema)) return schema;
  const { if: condition, then: met = true, else: unmet = true, contains, ...rest } = schema;
  const asked: JsonSchema[] = [];
  if ("contains" in schema && isExact(contains, exactRefs)) {
    // "Some item is X" means "not all items are not X".
    asked.push({ not: { type: "array", items: { not: contains } } });
  }
  if ("if" in schema) {
    const negation = isExact(condition, exactRefs) ? { not: condition } : true;
    const branches = [all(condition, met), all(negation, unmet)];
    if (!branches.includes(true)) asked.push({ anyOf: branches });
  }
  return asked.reduce(conjoin, rest);
}

function all(...schemas: readonly unknown[]): unknown {
  const [first = true, ...others] = schemas.filter((schema) => schema !== true);
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

/** Adds a constraint to a schema. It goes into `allOf` if the schema already has the keyword. */
function conjoin(schema: JsonSchema, more: JsonSchema): JsonSchema {
  if (!Object.keys(more).some((keyword) => keyword in schema)) return { ...schema, ...more };
  const { allOf } = schema;
  return { ...schema, allOf: [...(Array.isArray(allOf) ? allOf : []), more] };
}
