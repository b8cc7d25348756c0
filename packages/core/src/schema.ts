export { schemaNodes } from "./explain/schema-nodes.js";
export { escapePointer } from "./program/validation.js";
export {
  anyResultSchema,
  type EnvelopePart,
  envelopeSchemas,
  okResultSchema,
  type UsePart,
} from "./schema/envelope-schemas.js";
export {
  isJsonObject,
  mapSubschemas,
  normalizeJsonSchema,
  normalizeSchemaNode,
} from "./schema/json-schema.js";
export type {
  JsonSchemaDialect,
  JsonSchemaOptions,
  SchemaIssue,
  SchemaProps,
  SchemaResult,
} from "./schema/standard-schema.js";
