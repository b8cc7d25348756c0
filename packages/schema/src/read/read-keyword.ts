import type { JsonSchema } from "@decern/core";
import { formatTypes } from "../validate/formats.js";
import type { Keyword } from "./keywords.js";
import { type Place, step } from "./place.js";
import { readReference } from "./read-reference.js";
import { readList, readMap, readTuple } from "./read-subschemas.js";
import type { Reading, ReadSchema } from "./reading.js";

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

/** Refuses a keyword on a type it does not apply to, because validation would ignore it. */
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
