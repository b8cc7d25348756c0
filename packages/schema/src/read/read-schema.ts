import { DecernError, type JsonSchema, type Problem } from "@decern/core";
import { escapePointer, isJsonObject, normalizeSchemaNode } from "@decern/core/schema";
import { type Entry, idOf, referred } from "../dialect/definitions.js";
import { KEYWORDS, REFUSED_KINDS } from "../dialect/keywords.js";
import { validatorOf } from "../validate/ajv.js";
import { readKeyword } from "./read-keyword.js";
import { type Place, Reading, type ReadSchema, rootPlace } from "./reading.js";

/** Finds defaults that cannot be filled in, or that do not match their own schema. */
function defaultProblems(reading: Reading): readonly Problem[] {
  if (reading.defaults.length === 0) return [];
  const tested = reading.definitions.tested();
  const definitions = Object.fromEntries(reading.definitions.schemas);
  const problems: Problem[] = [];
  for (const { path, place, schema } of reading.defaults) {
    if (place.test || (place.definition !== undefined && tested.has(place.definition))) {
      problems.push({
        path,
        message: "has a default inside a union or condition, where defaults cannot be filled in",
      });
    } else if (Object.hasOwn(Object.prototype, path.slice(path.lastIndexOf("/") + 1))) {
      problems.push({
        path,
        message: "cannot have a default, because every object inherits a member of that name",
      });
    } else {
      const { default: value, ...rest } = schema;
      const validator = validatorOf({ ...rest, definitions });
      if (!validator.accepts(value)) {
        const issues = validator.explain(value);
        const list = issues.map(({ pointer, message }) => `${pointer ?? ""} ${message}`.trim());
        problems.push({
          path: `${path}/default`,
          message: `does not match its own schema: ${list.join("; ")}`,
        });
      }
    }
  }
  return problems;
}

/** A type as plain data: draft-07, with its definitions at the root and no keyword that validation would ignore. */
interface ReadType {
  readonly schema: JsonSchema;
  /** Whether a property has a default, which validation fills in. */
  readonly hasDefaults: boolean;
}

/**
 * Reads a type and rejects everything that would fail or be ignored later. Compiles nothing, except to check defaults.
 *
 * @throws DecernError `INVALID_DECISION` with every problem and its path
 */
export function readType(type: unknown, options: { readonly allowUnsafePatterns: boolean }): ReadType {
  const reading = new Reading(options);
  const root = readSchema(type, reading);
  const endless = reading.definitions.endless().map((name) => {
    return {
      path: `/$defs/${name}`,
      message: "refers to itself without a property or item in between, so validation would never end",
    };
  });
  const ambiguous = reading.definitions.ambiguous().map((name) => {
    return { path: "", message: `has different types named ${JSON.stringify(name)}; rename one` };
  });
  const problems = [...reading.problems, ...ambiguous, ...endless];
  if (problems.length === 0) problems.push(...defaultProblems(reading));
  if (problems.length > 0) throw new DecernError("INVALID_DECISION", { detail: "type", problems });
  return {
    schema: withDefinitions(root, reading),
    hasDefaults: reading.defaults.length > 0,
  };
}

function withDefinitions(root: JsonSchema, reading: Reading): JsonSchema {
  if (reading.definitions.schemas.size === 0) return root;
  const definitions = Object.fromEntries(reading.definitions.schemas);
  // A root that is only a reference is replaced by its target, so readers of an object see its properties.
  let schema = root;
  for (let target = referred(schema, definitions); target !== undefined; ) {
    schema = target;
    target = referred(schema, definitions);
  }
  return { ...schema, definitions };
}

/** Describes why a type is refused: its values are not JSON, or its check is not part of the schema. TypeBox marks such types. */
function refusedType(type: JsonSchema): string | undefined {
  const kind = type["~kind"];
  if (typeof kind === "string" && Object.hasOwn(REFUSED_KINDS, kind)) {
    return `is a ${kind}, which JSON cannot carry; use ${REFUSED_KINDS[kind]}`;
  }
  if ("~standard" in type) return "is already a schema, not a TypeBox type; pass it without typebox()";
  if ("~codec" in type) return "is a codec, which JSON Schema cannot express; convert values in the rules";
  if ("~refine" in type) return "has a refinement, which JSON Schema cannot express; check it in a rule";
  if (isUnsafeNothing(type)) return "is Type.Unsafe without a schema; use Type.Never() or Type.Unknown()";
  return undefined;
}

/** TypeBox turns `Type.Unsafe(false)` into an empty type, which allows everything. */
function isUnsafeNothing(type: JsonSchema): boolean {
  return "~unsafe" in type && !("~kind" in type) && Object.keys(type).length === 0;
}

/**
 * Rewrites a schema in the form that every dialect has, without changing its meaning.
 *
 * @param isRecord - whether the type is a TypeBox record
 */
function tidy(schema: JsonSchema, isRecord: boolean): JsonSchema {
  const { $ref, items, additionalItems, patternProperties, ...rest } = schema;
  // Draft-07 and OpenAPI 3.0 ignore keywords next to a reference.
  if ($ref !== undefined && Object.keys(schema).length > 1) {
    const { $ref: _ref, allOf, ...others } = schema;
    return { ...others, allOf: [{ $ref }, ...(Array.isArray(allOf) ? allOf : [])] };
  }
  if (Array.isArray(items) && items.length === 0) {
    return additionalItems === false
      ? { ...rest, maxItems: 0 }
      : { ...rest, items: isJsonObject(additionalItems) ? additionalItems : {} };
  }
  if (isRecord && isJsonObject(patternProperties) && schema["additionalProperties"] === undefined) {
    const { [anyKey]: values, ...otherKeys } = patternProperties;
    if (values !== undefined && Object.keys(otherKeys).length === 0 && !("properties" in schema))
      return { ...rest, additionalProperties: values };
  }
  return schema;
}

/**
 * The pattern that TypeBox writes for a record with any key. Its dot does not match a key with a line break, which would
 * go unchecked. Only a record gets this treatment: a pattern that an author wrote stays a pattern.
 */
const anyKey = "^.*$";

const maxDepth = 100;

/** Walks through a type once. Copies what JSON can carry and reports the rest. */
function readSchema(root: unknown, reading: Reading): JsonSchema {
  const read: ReadSchema = (type, place) => {
    if (type === true) return {};
    if (type === false) return { not: {} };
    if (!isJsonObject(type)) {
      reading.report(place.path, "must be a type");
      return {};
    }
    const refused =
      place.depth > maxDepth
        ? "is nested too deeply; a type that contains itself needs Type.Cyclic"
        : refusedType(type);
    if (refused !== undefined) {
      reading.report(place.path, refused);
      return {};
    }
    return readKeywords(type, enterScope(type, place, reading, read), reading, read);
  };
  return read(root, rootPlace);
}

function readKeywords(type: JsonSchema, place: Place, reading: Reading, read: ReadSchema): JsonSchema {
  const schema: Record<string, unknown> = {};
  for (const name of Object.keys(type)) {
    const value = type[name];
    if (value === undefined) continue;
    const keyword = KEYWORDS.get(name);
    const written =
      keyword === undefined
        ? readExtension(name, value, place, reading)
        : readKeyword({ name, keyword, value, type, place }, reading, read);
    if (written !== undefined) schema[name] = written;
  }
  return normalizeSchemaNode(tidy(schema, type["~kind"] === "Record"));
}

function readExtension(name: string, value: unknown, place: Place, reading: Reading): unknown {
  const path = `${place.path}/${escapePointer(name)}`;
  if (name.startsWith("x-")) return reading.data("annotation", value, path);
  reading.report(path, "is not a known keyword");
  return undefined;
}

/** Reads the definitions of a type, and returns the place inside it. */
function enterScope(type: JsonSchema, place: Place, reading: Reading, read: ReadSchema): Place {
  const { definitions } = reading;
  const id = idOf(type);
  if (id !== undefined) definitions.identify(id, type);
  const surrounding = id === undefined ? place.resource : undefined;
  const entries = [...entriesOf(type, "$defs"), ...entriesOf(type, "definitions")];
  if (entries.length === 0 && surrounding !== undefined) return place;
  const { scope, resource, unread } = definitions.open(entries, place.scope, surrounding);
  for (const [name, schema] of unread) {
    const path = `${place.path}/$defs/${escapePointer(name)}`;
    const depth = place.depth + 1;
    const inside = { path, depth, scope, resource, definition: name, here: true, test: false };
    definitions.schemas.set(name, read(schema, inside));
  }
  return { ...place, scope, resource };
}

function entriesOf(type: JsonSchema, keyword: Entry["keyword"]): readonly Entry[] {
  const map = type[keyword];
  return isJsonObject(map) ? Object.entries(map).map(([name, schema]) => ({ keyword, name, schema })) : [];
}
