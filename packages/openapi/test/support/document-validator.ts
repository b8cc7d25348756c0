import { fromSchema } from "@openapi-contrib/openapi-schema-to-json-schema";
import ajv04, { type ValidateFunction } from "ajv-draft-04";
import { default as addFormats } from "ajv-formats";
import type { OpenAPIDocument, SchemaObject } from "../../src/index.js";

/** An independent reading of OpenAPI 3.0 schemas: a converter to draft-04, and AJV for draft-04. */
export function schemaValidator(
  schema: SchemaObject,
  components: OpenAPIDocument["components"]["schemas"] = {},
): ValidateFunction {
  const ajv = new ajv04.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schemas = Object.fromEntries(Object.entries(components).map(([name, one]) => [name, toDraft04(one)]));
  return ajv.compile({ ...toDraft04(schema), components: { schemas } });
}

function toDraft04(schema: SchemaObject): object {
  if ("$ref" in schema) return schema;
  const { $schema: _draft, ...converted } = fromSchema(schema);
  return converted;
}
