import type { JsonSchema } from "@decern/core";
import { copyObject } from "./copy-json.js";
import { inDirection } from "./direction.js";
import { toDraft202012 } from "./draft-2020-12.js";

const dialects = ["draft-07", "draft-2020-12"] as const;

/** Writes a schema that was read as draft-07 in the dialect that is asked for. */
export function exportSchema(
  schema: JsonSchema,
  direction: "input" | "output",
  target: string,
): Record<string, unknown> {
  const dialect = dialects.find((known) => known === target);
  if (dialect === undefined) {
    throw new Error(`JSON Schema dialect "${target}" is not supported; use ${dialects.join(" or ")}`);
  }
  // Copied: nobody may change what is going to be compiled.
  const directed = inDirection(schema, direction);
  return copyObject(dialect === "draft-07" ? directed : toDraft202012(directed));
}
