import type { JsonSchema } from "@decern/core";
import { conjoin } from "./conjoin.js";

/** OpenAPI 3.0 has no `contains`: that some item is X means that not all of them are not X. */
export function containsForOpenApi(schema: JsonSchema): JsonSchema {
  const { contains, ...rest } = schema;
  return contains === undefined
    ? schema
    : conjoin(rest, { not: { type: "array", items: { not: contains } } });
}

/** OpenAPI 3.0 has no `if`: either the condition and `then` hold, or its negation and `else`. */
export function conditionForOpenApi(schema: JsonSchema): JsonSchema {
  const { if: condition, then: met, else: unmet, ...rest } = schema;
  if (condition === undefined) return rest;
  const branches = [{ allOf: [condition, met ?? {}] }, { allOf: [{ not: condition }, unmet ?? {}] }];
  return conjoin(rest, { anyOf: branches });
}
