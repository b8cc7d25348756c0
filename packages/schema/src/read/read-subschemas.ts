import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { patternProblem } from "../pattern/pattern-problem.js";
import { type Place, pointerToken } from "./place.js";
import type { Reading, ReadSchema } from "./reading.js";

/** Reads a list of types. */
export function readList(types: readonly unknown[], place: Place, read: ReadSchema): readonly JsonSchema[] {
  return types.map((type, index) => read(type, { ...place, path: `${place.path}/${index}` }));
}

/** Reads the types of a tuple's items. */
export function readTuple(
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
export function readMap(
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
    const path = `${place.path}/${pointerToken(name)}`;
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
