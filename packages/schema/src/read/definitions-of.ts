import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaObjCxt } from "ajv";

const none: JsonSchema = {};

/** The definitions of the schema that AJV is compiling. */
export function definitionsOf(context: SchemaObjCxt): JsonSchema {
  const root: unknown = context.schemaEnv.root.schema;
  const definitions = isJsonObject(root) ? root["definitions"] : undefined;
  return isJsonObject(definitions) ? definitions : none;
}
