import { type JsonSchema, mapSubschemas } from "@decern/core";
import { conjoin } from "./conjoin.js";
import { boundsForOpenApi } from "./openapi-bounds.js";
import {
  conditionForOpenApi,
  containsForOpenApi,
  isWidened,
  negationForOpenApi,
} from "./openapi-conditions.js";
import { nullForOpenApi } from "./openapi-null.js";
import { keysForOpenApi, tupleForOpenApi } from "./openapi-parts.js";

/**
 * Rewrites a schema for OpenAPI 3.0. Where that cannot say it, the result accepts more than the validator and never
 * less; what is lost stays as `x-not`, `x-patternProperties`, `x-prefixItems` and `x-propertyNames`.
 *
 * Definitions stay at the root as `definitions`, with references `#/definitions/<Name>`: whoever builds the document
 * moves both to `components/schemas`.
 */
export function toOpenApi(schema: JsonSchema): JsonSchema {
  // Most definitions can be said as they are; only where one cannot must no reference be negated.
  const written = rewrite(schema, false);
  return isWidened(written["definitions"] ?? {}, false) ? rewrite(schema, true) : written;
}

function rewrite(schema: JsonSchema, widenedRefs: boolean): JsonSchema {
  const inner = mapSubschemas(schema, (sub) => rewrite(sub, widenedRefs));
  return rewrites.reduce((current, step) => step(current, widenedRefs), inner);
}

const rewrites: readonly ((schema: JsonSchema, widenedRefs: boolean) => JsonSchema)[] = [
  constAsEnum,
  negationForOpenApi,
  nullForOpenApi,
  boundsForOpenApi,
  tupleForOpenApi,
  keysForOpenApi,
  containsForOpenApi,
  conditionForOpenApi,
  annotations,
];

function constAsEnum(schema: JsonSchema): JsonSchema {
  if (!("const" in schema)) return schema;
  const { const: value, ...rest } = schema;
  return "enum" in rest ? conjoin(rest, { enum: [value] }) : { ...rest, enum: [value] };
}

function annotations(schema: JsonSchema): JsonSchema {
  const { $comment, contentMediaType, contentEncoding, examples, required, ...rest } = schema;
  const [example]: readonly unknown[] = Array.isArray(examples) ? examples : [examples];
  return {
    ...rest,
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    ...(example === undefined || "example" in rest ? {} : { example }),
    ...(contentMediaType === undefined ? {} : { "x-contentMediaType": contentMediaType }),
    ...(contentEncoding === undefined ? {} : { "x-contentEncoding": contentEncoding }),
  };
}
