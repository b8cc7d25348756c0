import type { JsonSchema } from "@decern/core";
import { copyObject } from "./copy-json.js";
import { inDirection } from "./direction.js";
import { toDraft202012 } from "./draft-2020-12.js";

const dialects = ["draft-07", "draft-2020-12"] as const;

/** Writes a draft-07 schema in the requested dialect. */
export function exportSchema(
  schema: JsonSchema,
  direction: "input" | "output",
  target: string,
): Record<string, unknown> {
  const dialect = dialects.find((known) => known === target);
  if (dialect === undefined) {
    throw new Error(`JSON Schema dialect "${target}" is not supported; use ${dialects.join(" or ")}`);
  }
  // A copy, so callers cannot change the schema that will be compiled.
  const directed = inDirection(schema, direction);
  return copyObject(dialect === "draft-07" ? directed : toDraft202012(directed));
}
