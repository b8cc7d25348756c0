import type { JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";
import { mapReferences, plainText, referencesIn, type SchemaObject } from "../document/document.js";
import { arrayKeywords, boundKeywords, distinct, objectKeywords } from "./schema-keywords.js";
import { collapseNullUnion, typedSchema, unwrapped } from "./typed-schema.js";

/** Keywords that the dialect of OpenAPI 3.0 leaves out or widens. */
const inexact = new Set([
  "additionalItems",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * Whether a JSON Schema keeps its meaning in the dialect of OpenAPI 3.0. If not, the result allows more values. That is
 * harmless, except inside `not` or `oneOf`.
 *
 * @param exactRefs - whether the targets of references keep their meaning
 */
export function isExact(schema: unknown, exactRefs: boolean): boolean {
  if (!isJsonObject(schema)) return true;
  if (Array.isArray(schema["items"]) || (!exactRefs && "$ref" in schema)) return false;
  if (Object.keys(schema).some((keyword) => inexact.has(keyword))) return false;
  let exact = true;
  mapSubschemas(schema, (subschema) => {
    exact &&= isExact(subschema, exactRefs);
    return subschema;
  });
  return exact;
}

/**
 * Expresses `if` and `contains`, which OpenAPI 3.0 lacks, with `not`, `anyOf` and `allOf`. Leaves out the negation of a schema
 * that the dialect widens, because it would be too narrow.
 */
function withoutConditions(schema: JsonSchema, exactRefs: boolean): JsonSchema {
  if (!("if" in schema) && !("contains" in schema)) return schema;
  const { if: condition, then: met = true, else: unmet = true, contains, ...rest } = schema;
  const asked: JsonSchema[] = [];
  if ("contains" in schema && isExact(contains, exactRefs)) {
    // "Some item is X" means "not all items are not X".
    asked.push({ not: { type: "array", items: { not: contains } } });
  }
  if ("if" in schema) {
    const negation = isExact(condition, exactRefs) ? { not: condition } : true;
    const branches = [all(condition, met), all(negation, unmet)];
    if (!branches.includes(true)) asked.push({ anyOf: branches });
  }
  return asked.reduce(conjoin, rest);
}

function all(...schemas: readonly unknown[]): unknown {
  const [first = true, ...others] = schemas.filter((schema) => schema !== true);
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

/** Adds a constraint to a schema. It goes into `allOf` if the schema already has the keyword. */
function conjoin(schema: JsonSchema, more: JsonSchema): JsonSchema {
  if (!Object.keys(more).some((keyword) => keyword in schema)) return { ...schema, ...more };
  const { allOf } = schema;
  return { ...schema, allOf: [...(Array.isArray(allOf) ? allOf : []), more] };
}

/** Keywords that mean the same in OpenAPI 3.0. */
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

/** The ones that hold data and can be left out. */
const isData = new Set(["default", "example"]);

export interface References {
  /** Returns the target of a `$ref` in the document. */
  rewrite(ref: string): string;
  /** Like `rewrite`, but returns `undefined` if there is no target. */
  find(ref: string): string | undefined;
  /** Whether all targets keep their meaning in the document. */
  readonly exact: boolean;
}

/**
 * Translates a JSON Schema (draft-07 or 2020-12) to the dialect of OpenAPI 3.0. It leaves out what the dialect cannot
 * express, so the result may allow more than its source, never less.
 */
export function toOpenAPISchema(source: unknown, references: References): SchemaObject {
  if (source === false) return { not: {} };
  if (!isJsonObject(source)) return {};
  const schema = withoutConditions(source, references.exact);
  const convert = (subschema: unknown): SchemaObject => toOpenAPISchema(subschema, references);
  const { $ref } = schema;
  const rest = {
    ...plainKeywords(schema, references),
    ...boundKeywords(schema),
    ...objectKeywords(schema, convert),
    ...arrayKeywords(schema, convert),
    ...compositions(schema, convert, references.exact),
  };
  if (typeof $ref === "string") {
    const target = { $ref: references.rewrite($ref) };
    // Tools ignore keywords next to a reference.
    if (Object.keys(rest).length === 0) return target;
    const allOf: unknown = rest["allOf"];
    return { ...rest, allOf: distinct([target, ...(Array.isArray(allOf) ? allOf : [])]) };
  }
  return collapseNullUnion(unwrapped(typedSchema(schema, rest)));
}

function plainKeywords(schema: JsonSchema, references: References): SchemaObject {
  const { description } = schema;
  const examples: readonly unknown[] = Array.isArray(schema["examples"])
    ? schema["examples"].filter((example) => referencesIn(example).length === 0)
    : [];
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword.startsWith("x-")) {
      const hasTargets = referencesIn(value).every((ref) => references.find(ref) !== undefined);
      return hasTargets ? [[keyword, mapReferences(value, references.find)]] : [];
    }
    if (!kept.has(keyword)) return [];
    return isData.has(keyword) && referencesIn(value).length > 0 ? [] : [[keyword, value]];
  });
  if (typeof description === "string") entries.push(["description", plainText(description)]);
  if (examples.length > 0 && !("example" in schema)) {
    entries.push(["example", examples[0]]);
  }
  return Object.fromEntries(entries);
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
    // Widened branches may overlap, and `oneOf` would refuse values that match two of them.
    const exclusive = oneOf.every((branch) => isExact(branch, exactRefs));
    const branches = oneOf.map(convert);
    if (exclusive) add("oneOf", branches);
    else if (lists.has("anyOf")) add("allOf", [...(lists.get("allOf") ?? []), { anyOf: distinct(branches) }]);
    else add("anyOf", distinct(branches));
  }
  const negated = "not" in schema && isExact(not, exactRefs) ? { not: convert(not) } : {};
  return { ...Object.fromEntries(lists), ...negated };
}
