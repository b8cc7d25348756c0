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
export function conditionForOpenApi(schema: JsonSchema, widenedRefs: boolean): JsonSchema {
  const { if: condition, then: met, else: unmet, ...rest } = schema;
  if (condition === undefined) return rest;
  const negation = isWidened(condition, widenedRefs) ? {} : { not: condition };
  const branches = [{ allOf: [condition, met ?? {}] }, { allOf: [negation, unmet ?? {}] }];
  return conjoin(rest, { anyOf: branches });
}

/** The opposite of what was widened would be too narrow; so would be "exactly one" of several. */
export function negationForOpenApi(schema: JsonSchema, widenedRefs: boolean): JsonSchema {
  const { not, oneOf, ...rest } = schema;
  const kept =
    not === undefined ? rest : isWidened(not, widenedRefs) ? { ...rest, "x-not": not } : { ...rest, not };
  if (oneOf === undefined) return kept;
  return isWidened(oneOf, widenedRefs) ? conjoin(kept, { anyOf: oneOf }) : { ...kept, oneOf };
}

/**
 * Whether something in it accepts more than the schema that it was written from.
 *
 * @param widenedRefs - whether what it refers to does
 */
export function isWidened(written: unknown, widenedRefs: boolean): boolean {
  return (widenedRefs ? lostOrRef : lost).test(JSON.stringify(written));
}

/** What the dialect cannot say is kept under these names, which so mark what was widened. */
const lost = /"x-(?:not|patternProperties|prefixItems|propertyNames)":/;
const lostOrRef = new RegExp(`${lost.source}|"\\$ref":`);
