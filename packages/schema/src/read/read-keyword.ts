import type { JsonSchema } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { refTo } from "../dialect/definitions.js";
import { formatTypes, type Keyword } from "../dialect/keywords.js";
import { patternProblem } from "../pattern/linear-pattern.js";
import { type Place, type Reading, type ReadSchema, step } from "./reading.js";

/** Reads a list of types. */
function readList(types: readonly unknown[], place: Place, read: ReadSchema): readonly JsonSchema[] {
  return types.map((type, index) => read(type, { ...place, path: `${place.path}/${index}` }));
}

/** Reads the types of a tuple's items. */
function readTuple(
  types: readonly unknown[],
  place: Place,
  reading: Reading,
  read: ReadSchema,
): readonly JsonSchema[] {
  const schemas = readList(types, place, read);
  for (const [index, schema] of schemas.entries()) {
    if (!("default" in schema)) continue;
    reading.report(
      `${place.path}/${index}`,
      "has a default, which cannot be filled in for an item of a tuple",
    );
  }
  return schemas;
}

/** Reads types by name or by pattern, and collects the defaults of properties. */
function readMap(
  keyword: string,
  types: unknown,
  place: Place,
  reading: Reading,
  read: ReadSchema,
): JsonSchema {
  if (!isJsonObject(types)) {
    reading.report(place.path, "must be an object");
    return {};
  }
  const schemas: Record<string, JsonSchema> = {};
  for (const name of Object.keys(types)) {
    const path = `${place.path}/${escapePointer(name)}`;
    if (name === "__proto__") {
      reading.report(path, "cannot be the name of a property");
      continue;
    }
    if (keyword === "patternProperties") {
      const problem = patternProblem(name, reading.allowUnsafePatterns);
      if (problem !== undefined) reading.report(path, problem);
    }
    const schema = read(types[name], { ...place, path });
    if (keyword === "properties" && "default" in schema) reading.defaults.push({ path, place, schema });
    schemas[name] = schema;
  }
  return schemas;
}

/** Reads a `$ref`, and returns the reference to the same definition at the root. */
function readReference(ref: unknown, path: string, place: Place, reading: Reading): string {
  const { definitions } = reading;
  const to = typeof ref === "string" ? definitions.resolve(ref, place.scope, place.resource) : undefined;
  if (typeof ref !== "string" || to === undefined) {
    reading.report(path, `refers to ${JSON.stringify(ref)}, which ${whereDefined(ref)}; use Type.Cyclic`);
    return "";
  }
  if (!ref.startsWith("#") && /[#/?%:\\]/.test(ref)) {
    reading.report(path, `refers to ${JSON.stringify(ref)}; a name must not contain # / ? % : \\`);
  }
  const { definition, here, test } = place;
  definitions.link({ from: definition, to, here, test });
  return refTo(to);
}

function whereDefined(ref: unknown): string {
  const pointer = typeof ref === "string" && ref.startsWith("#/");
  return pointer
    ? "is not a definition of the root or of the nearest enclosing $id"
    : "is not the $id of an enclosing definition";
}

/** A keyword where it stands. */
interface KeywordInPlace {
  readonly name: string;
  readonly keyword: Keyword;
  readonly value: unknown;
  /** The type that has the keyword. */
  readonly type: JsonSchema;
  readonly place: Place;
}

/**
 * Reads a known keyword of a type.
 *
 * @param read - reads the schemas that the keyword holds
 * @returns its value in the schema, or `undefined` to leave it out
 */
export function readKeyword(
  { name, keyword, value, type, place }: KeywordInPlace,
  reading: Reading,
  read: ReadSchema,
): unknown {
  const path = `${place.path}/${name}`;
  const misplaced = misplacement(name === "format" ? formatTypes(value) : keyword.on, type["type"]);
  if (misplaced !== undefined) {
    reading.report(path, misplaced);
    return undefined;
  }
  switch (keyword.value) {
    case "dropped":
    case "scope":
      return undefined;
    case "id":
      // Only checked: references to it are resolved by now.
      reading.data(keyword.value, value, path);
      return undefined;
    case "ref":
      return readReference(value, path, place, reading);
    case "schema":
      return read(value, step(place, keyword, path));
    case "schemaOrBoolean":
      return typeof value === "boolean" ? value : read(value, step(place, keyword, path));
    case "schemaOrList": {
      const inside = step(place, keyword, path);
      return Array.isArray(value) ? readTuple(value, inside, reading, read) : read(value, inside);
    }
    case "schemaList":
      if (Array.isArray(value) && value.length > 0) return readList(value, step(place, keyword, path), read);
      reading.report(path, "must list at least one type");
      return undefined;
    case "schemaMap":
    case "patternMap":
      return readMap(name, value, step(place, keyword, path), reading, read);
    case "pattern":
      return reading.data(keyword.value, patternText(value, path, reading), path);
    default:
      return reading.data(keyword.value, value, path);
  }
}

/** Rejects a keyword on a type it does not apply to, because validation would ignore it. */
function misplacement(on: readonly string[] | undefined, type: unknown): string | undefined {
  if (on === undefined || type === undefined) return undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((name) => on.some((applicable) => applicable === name))) return undefined;
  return `does not apply to type ${types.join(", ")}`;
}

function patternText(value: unknown, path: string, reading: Reading): unknown {
  if (!(value instanceof RegExp)) return value;
  if (!/^u?$/.test(value.flags)) reading.report(path, "has flags, which JSON Schema cannot express");
  return value.source;
}
