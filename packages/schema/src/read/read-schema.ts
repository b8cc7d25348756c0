import type { JsonSchema } from "@decern/core";
import { escapePointer, isJsonObject, normalizeSchemaNode } from "@decern/core/schema";
import { type Entry, idOf } from "./definitions.js";
import { KEYWORDS } from "./keywords.js";
import { type Place, pointerToken, rootPlace } from "./place.js";
import { readKeyword } from "./read-keyword.js";
import type { Reading, ReadSchema } from "./reading.js";
import { refusedType } from "./refused-type.js";
import { tidy } from "./tidy.js";

const maxDepth = 100;

/** Walks through a type once. Copies what JSON can carry and reports the rest. */
export function readSchema(root: unknown, reading: Reading): JsonSchema {
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
  const path = `${place.path}/${pointerToken(name)}`;
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
