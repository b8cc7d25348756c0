export { copyJson } from "./base/copy.js";
export { escapePointer, isJsonObject, pointerTokens, unescapePointer } from "./base/json.js";
export {
  dayOf,
  listOf,
  mapSubschemas,
  memberOf,
  normalizeJsonSchema,
  normalizeSchemaNode,
  schemaNodes,
} from "./base/json-schema.js";

export { TextPattern } from "./base/text-pattern.js";
export {
  anyResultSchema,
  type EnvelopePart,
  envelopeSchemas,
  okResultSchema,
  type UsePart,
} from "./decision/describe.js";
export type {
  JsonSchemaDialect,
  JsonSchemaOptions,
  SchemaIssue,
  SchemaProps,
  SchemaResult,
} from "./decision/ports.js";
