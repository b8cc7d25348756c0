import type { SchemaObject } from "../document/document.js";

const annotationKeywords = new Set([
  "default",
  "deprecated",
  "description",
  "example",
  "externalDocs",
  "title",
]);

/** The keywords of a schema that describe its values without limiting them. */
export function annotations(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => annotationKeywords.has(keyword) || keyword.startsWith("x-")),
  );
}

/** Whether a schema only has annotations, and so allows every value. */
export function isAnnotation(schema: SchemaObject): boolean {
  return Object.keys(annotations(schema)).length === Object.keys(schema).length;
}
