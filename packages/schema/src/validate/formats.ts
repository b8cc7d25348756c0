import type { FormatName } from "ajv-formats";

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
