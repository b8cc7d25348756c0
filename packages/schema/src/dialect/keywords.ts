import type { FormatName } from "ajv-formats";

/** The kind of value that a keyword must have. */
export type KeywordValue =
  | "annotation"
  | "boolean"
  | "count"
  | "enum"
  | "format"
  | "id"
  | "json"
  | "names"
  | "number"
  | "pattern"
  | "patternMap"
  | "positive"
  | "ref"
  | "schema"
  | "schemaList"
  | "schemaMap"
  | "schemaOrBoolean"
  | "schemaOrList"
  | "scope"
  | "string"
  | "type"
  | "dropped"
  | { readonly refused: string };

export interface Keyword {
  readonly value: KeywordValue;
  /** The only types it applies to. On any other type, validation would silently ignore it. */
  readonly on?: readonly string[];
  /** What its schemas apply to: the same value, a part of it, or a value that is only tested. */
  readonly looks?: "here" | "inside" | "test" | "testInside";
}

const numbers = ["number", "integer"];

const noDialect = { refused: "is not supported, because draft-07 or OpenAPI 3.0 cannot express it" } as const;

/** Every keyword that a type may have. Others are rejected, because validation would silently ignore a misspelt one. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", { value: "type" }],
  ["const", { value: "json" }],
  ["enum", { value: "enum" }],

  ["minimum", { value: "number", on: numbers }],
  ["maximum", { value: "number", on: numbers }],
  ["exclusiveMinimum", { value: "number", on: numbers }],
  ["exclusiveMaximum", { value: "number", on: numbers }],
  ["multipleOf", { value: "positive", on: numbers }],

  ["minLength", { value: "count", on: ["string"] }],
  ["maxLength", { value: "count", on: ["string"] }],
  ["pattern", { value: "pattern", on: ["string"] }],
  ["format", { value: "format", on: ["string", ...numbers] }],
  ["contentMediaType", { value: "string", on: ["string"] }],
  ["contentEncoding", { value: "string", on: ["string"] }],

  ["items", { value: "schemaOrList", on: ["array"], looks: "inside" }],
  ["additionalItems", { value: "schemaOrBoolean", on: ["array"], looks: "inside" }],
  ["contains", { value: "schema", on: ["array"], looks: "testInside" }],
  ["minItems", { value: "count", on: ["array"] }],
  ["maxItems", { value: "count", on: ["array"] }],
  ["uniqueItems", { value: "boolean", on: ["array"] }],

  ["properties", { value: "schemaMap", on: ["object"], looks: "inside" }],
  ["required", { value: "names", on: ["object"] }],
  ["patternProperties", { value: "patternMap", on: ["object"], looks: "inside" }],
  ["additionalProperties", { value: "schemaOrBoolean", on: ["object"], looks: "inside" }],
  ["propertyNames", { value: "schema", on: ["object"], looks: "testInside" }],
  ["minProperties", { value: "count", on: ["object"] }],
  ["maxProperties", { value: "count", on: ["object"] }],

  ["allOf", { value: "schemaList", looks: "here" }],
  ["anyOf", { value: "schemaList", looks: "test" }],
  ["oneOf", { value: "schemaList", looks: "test" }],
  ["not", { value: "schema", looks: "test" }],
  ["if", { value: "schema", looks: "test" }],
  ["then", { value: "schema", looks: "here" }],
  ["else", { value: "schema", looks: "here" }],

  ["$ref", { value: "ref" }],
  ["$defs", { value: "scope" }],
  ["definitions", { value: "scope" }],
  ["$id", { value: "id" }],
  ["$schema", { value: "dropped" }],

  ["title", { value: "string" }],
  ["description", { value: "string" }],
  ["$comment", { value: "string" }],
  ["default", { value: "annotation" }],
  ["example", { value: "annotation" }],
  ["examples", { value: "annotation" }],
  ["deprecated", { value: "boolean" }],
  ["readOnly", { value: "boolean" }],
  ["writeOnly", { value: "boolean" }],

  ["prefixItems", { value: { refused: "is not supported; use Type.Tuple" } }],
  ["unevaluatedItems", { value: noDialect }],
  [
    "unevaluatedProperties",
    {
      value: {
        refused: "is not supported, because draft-07 cannot express it; merge the objects with Type.Evaluate",
      },
    },
  ],
  ["dependencies", { value: noDialect }],
  ["dependentRequired", { value: noDialect }],
  ["dependentSchemas", { value: noDialect }],
  ["minContains", { value: noDialect }],
  ["maxContains", { value: noDialect }],
]);

export const JSON_TYPES: ReadonlySet<string> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

/** TypeBox kinds that have no JSON values, and what to use instead. */
export const REFUSED_KINDS: Readonly<Record<string, string>> = {
  BigInt: "Type.Integer() or a string with a pattern",
  Constructor: "data",
  Function: "data",
  Symbol: "Type.String()",
  Undefined: "Type.Optional() or Type.Null()",
  Void: "Type.Null()",
};

/**
 * The formats that `ajv-formats` checks. `url` is left out, because its expression takes time proportional to the square of
 * the text.
 */
export const FORMATS: readonly FormatName[] = [
  "date",
  "time",
  "date-time",
  "iso-time",
  "iso-date-time",
  "duration",
  "uri",
  "uri-reference",
  "uri-template",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "regex",
  "uuid",
  "json-pointer",
  "json-pointer-uri-fragment",
  "relative-json-pointer",
  "byte",
  "int32",
  "int64",
  "float",
  "double",
  "password",
  "binary",
];

const numeric: ReadonlySet<unknown> = new Set<FormatName>(["int32", "int64", "float", "double"]);

/** The types that a format applies to. */
export function formatTypes(format: unknown): readonly string[] {
  return numeric.has(format) ? ["number", "integer"] : ["string"];
}
