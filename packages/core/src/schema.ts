export {
  dayOf,
  escapePointer,
  listOf,
  mapSubschemas,
  memberOf,
  normalizeJsonSchema,
  normalizeSchemaNode,
  pointerTokens,
  schemaNodes,
  unescapePointer,
} from "./base/json-schema.js";
export { isJsonObject } from "./base/json-text.js";
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
