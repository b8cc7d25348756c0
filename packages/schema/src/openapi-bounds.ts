import type { JsonSchema } from "@decern/core";

/** In OpenAPI 3.0 an exclusive bound is a bound and a flag. */
export function boundsForOpenApi(schema: JsonSchema): JsonSchema {
  const lower = bound(schema, "minimum", "exclusiveMinimum", (inclusive, exclusive) => inclusive > exclusive);
  return bound(lower, "maximum", "exclusiveMaximum", (inclusive, exclusive) => inclusive < exclusive);
}

function bound(
  schema: JsonSchema,
  inclusiveName: string,
  exclusiveName: string,
  isTighter: (inclusive: number, exclusive: number) => boolean,
): JsonSchema {
  const { [inclusiveName]: inclusive, [exclusiveName]: exclusive, ...rest } = schema;
  if (typeof exclusive !== "number") return schema;
  if (typeof inclusive === "number" && isTighter(inclusive, exclusive))
    return { ...rest, [inclusiveName]: inclusive };
  return { ...rest, [inclusiveName]: exclusive, [exclusiveName]: true };
}
