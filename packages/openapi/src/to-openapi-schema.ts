import { isJsonObject, type JsonSchema } from "@decern/core";
import { hasReference, rewriteReferences } from "./data-references.js";
import type { SchemaObject } from "./document.js";
import { isExact } from "./is-exact.js";
import { plainText } from "./plain-text.js";
import { arrayKeywords, boundKeywords, distinct, objectKeywords } from "./schema-keywords.js";
import { isAnnotation, nullSchema, orNull, typedSchema, unwrapped } from "./typed-schema.js";

/** Those that mean the same in OpenAPI 3.0 and need no work. */
const kept = new Set([
  "default",
  "deprecated",
  "example",
  "externalDocs",
  "format",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
  "pattern",
  "title",
  "uniqueItems",
  "xml",
]);

/** Of these, those that hold data and can be left out. */
const isData = new Set(["default", "example"]);

/** What is known of the references in a schema. */
export interface References {
  /** Where a `$ref` points to in the document. */
  rewrite(ref: string): string;
  /** The same, or nothing when it leads nowhere. */
  find(ref: string): string | undefined;
  /** Whether everything that they point to says the same in the document. */
  readonly exact: boolean;
}

/**
 * Writes a JSON Schema in the dialect of OpenAPI 3.0. It takes draft-07 and 2020-12, and what is OpenAPI 3.0 already.
 * What the dialect cannot say is left out, so that the result may allow more than its source, and never less.
 */
export function toOpenAPISchema(schema: unknown, references: References): SchemaObject {
  if (schema === false) return { not: {} };
  if (!isJsonObject(schema)) return {};
  const convert = (subschema: unknown): SchemaObject => toOpenAPISchema(subschema, references);
  const { $ref, nullable } = schema;
  const rest = {
    ...plainKeywords(schema, references),
    ...discriminator(schema, references),
    ...boundKeywords(schema),
    ...objectKeywords(schema, convert),
    ...arrayKeywords(schema, convert),
    ...compositions(schema, convert, references.exact),
  };
  if (typeof $ref === "string") {
    const target = { $ref: references.rewrite($ref) };
    // Siblings of a reference are ignored.
    if (Object.keys(rest).length === 0) return nullable === true ? orNull(target) : target;
    const allOf: unknown = rest["allOf"];
    const all = { ...rest, allOf: distinct([target, ...(Array.isArray(allOf) ? allOf : [])]) };
    return nullable === true ? orNull(all) : all;
  }
  return collapseNullUnion(unwrapped(typedSchema(schema, rest)));
}

function plainKeywords(schema: JsonSchema, references: References): SchemaObject {
  const { description } = schema;
  const examples: readonly unknown[] = Array.isArray(schema["examples"])
    ? schema["examples"].filter((example) => !hasReference(example))
    : [];
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword.startsWith("x-")) {
      const rewritten = rewriteReferences(value, references.find);
      return rewritten === undefined ? [] : [[keyword, rewritten.data]];
    }
    if (!kept.has(keyword)) return [];
    return isData.has(keyword) && hasReference(value) ? [] : [[keyword, value]];
  });
  if (typeof description === "string") entries.push(["description", plainText(description)]);
  if (examples.length > 0 && !("example" in schema)) {
    entries.push(["example", examples[0]]);
  }
  return Object.fromEntries(entries);
}

/** Only OpenAPI's own dialect has it. */
function discriminator(schema: JsonSchema, references: References): SchemaObject {
  const given = schema["discriminator"];
  if (!isJsonObject(given) || typeof given["propertyName"] !== "string") return {};
  const { propertyName, mapping } = given;
  if (!isJsonObject(mapping)) return { discriminator: { propertyName } };
  const entries = Object.entries(mapping).map(([value, target]) => [
    value,
    typeof target === "string" && target.startsWith("#") ? references.rewrite(target) : target,
  ]);
  return { discriminator: { propertyName, mapping: Object.fromEntries(entries) } };
}

function compositions(
  schema: JsonSchema,
  convert: (subschema: unknown) => SchemaObject,
  exactRefs: boolean,
): SchemaObject {
  const { allOf, anyOf, oneOf, not } = schema;
  const lists = new Map<string, readonly SchemaObject[]>();
  const add = (keyword: "allOf" | "anyOf" | "oneOf", branches: readonly SchemaObject[]): void => {
    if (branches.length > 0) lists.set(keyword, branches);
  };
  if (Array.isArray(allOf)) add("allOf", distinct(allOf.map(convert)));
  if (Array.isArray(anyOf)) add("anyOf", distinct(anyOf.map(convert)));
  if (Array.isArray(oneOf)) {
    // Branches that were widened may overlap, and `oneOf` would refuse what is in two of them.
    const exclusive = oneOf.every((branch) => isExact(branch, exactRefs));
    const branches = oneOf.map(convert);
    if (exclusive) add("oneOf", branches);
    else if (lists.has("anyOf")) add("allOf", [...(lists.get("allOf") ?? []), { anyOf: distinct(branches) }]);
    else add("anyOf", distinct(branches));
  }
  const negated = "not" in schema && isExact(not, exactRefs) ? { not: convert(not) } : {};
  return { ...Object.fromEntries(lists), ...negated };
}

/** `anyOf: [A, null]` is A with `nullable`, wherever A has a type to put it beside. */
function collapseNullUnion(schema: SchemaObject): SchemaObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: branches, ...others } = schema;
    if (!Array.isArray(branches) || branches.length !== 2 || !isAnnotation(others)) continue;
    const [branch, ...more] = branches.filter((one: unknown) => !isNullSchema(one));
    if (more.length > 0 || !isJsonObject(branch) || branch["nullable"] === true) continue;
    const { type, enum: values } = branch;
    if (typeof type !== "string") continue;
    const withNull = Array.isArray(values) ? { enum: [...values, null] } : {};
    return { ...branch, ...withNull, nullable: true, ...others };
  }
  return schema;
}

function isNullSchema(schema: unknown): boolean {
  return JSON.stringify(schema) === JSON.stringify(nullSchema);
}
