import type { JsonSchema } from "@decern/core";
import { isJsonObject, schemaNodes } from "@decern/core/schema";
import { isSameJson } from "@decern/core/tools";
import { absent, type Path } from "../values/json.js";

/** Reads a JSON Schema: follows references, merges `allOf`, and splits unions. */
export class SchemaReader {
  readonly #root: JsonSchema;
  readonly #known = new Map<JsonSchema, readonly JsonSchema[]>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** The schemas of which a value fits at least one, each without references or unions. A value may still break them. */
  alternatives(schema: unknown): readonly JsonSchema[] {
    if (!isJsonObject(schema)) return [{}];
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const found = schemaNodes(schema, this.#root).flatMap(splitTypes);
    this.#known.set(schema, found);
    return found;
  }

  /** The alternative that a value seems to follow. */
  alternativeOf(schema: unknown, value: unknown): JsonSchema {
    const all = this.alternatives(schema);
    return all.find((alternative) => this.#fits(alternative, value, 0)) ?? all[0] ?? {};
  }

  #fits(schema: JsonSchema, value: unknown, depth: number): boolean {
    const { type, const: only, enum: listed, properties, required } = schema;
    if ("const" in schema && !isSameJson(only, value)) return false;
    if (Array.isArray(listed) && !listed.some((one) => isSameJson(one, value))) return false;
    if (typeof type === "string" && !isOfType(value, type)) return false;
    if (!isJsonObject(value) || depth > 3) return true;
    if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, String(name)))) return false;
    return Object.entries(isJsonObject(properties) ? properties : {}).every(
      ([name, property]) =>
        !Object.hasOwn(value, name) ||
        this.alternatives(property).some((one) => this.#fits(one, value[name], depth + 1)),
    );
  }
}

function splitTypes(schema: JsonSchema): readonly JsonSchema[] {
  const { type } = schema;
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema];
}

export function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return typeof value === type;
}

/** A place of an input where another value may stand. */
export interface Place {
  readonly path: Path;
  readonly schema: unknown;
  /** `absent` for an optional member that is left out. */
  readonly value: unknown;
  readonly isOptional: boolean;
}

const mostPlaces = 2_000;

/** Every place of an input, the root first. */
export function placesOf(reader: SchemaReader, schema: unknown, input: unknown): readonly Place[] {
  const places: Place[] = [];
  const visit = (place: Place): void => {
    if (places.length >= mostPlaces) return;
    places.push(place);
    const { path, value } = place;
    if (Array.isArray(value)) {
      const own = reader.alternativeOf(place.schema, value);
      const { minItems } = own;
      const isOptional = value.length > (typeof minItems === "number" ? minItems : 0);
      for (const [index, item] of value.entries())
        visit({ path: [...path, index], schema: itemSchema(own, index), value: item, isOptional });
    } else if (isJsonObject(value)) {
      const own = reader.alternativeOf(place.schema, value);
      for (const member of membersOf(own, value)) visit({ ...member, path: [...path, ...member.path] });
    }
  };
  visit({ path: [], schema, value: input, isOptional: false });
  return places;
}

/** The schema of one item of a list. */
export function itemSchema({ prefixItems, items, additionalItems }: JsonSchema, index: number): unknown {
  const tuple: unknown = Array.isArray(prefixItems) ? prefixItems : items;
  if (!Array.isArray(tuple)) return items;
  return index < tuple.length ? tuple[index] : Array.isArray(prefixItems) ? items : additionalItems;
}

function membersOf(schema: JsonSchema, value: JsonSchema): readonly Place[] {
  const { properties, required, additionalProperties } = schema;
  const declared = isJsonObject(properties) ? properties : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const listed = Object.entries(declared).map(([name, property]) => ({
    path: [name],
    schema: property,
    value: Object.hasOwn(value, name) ? value[name] : absent,
    isOptional: !needed.includes(name),
  }));
  const further = Object.entries(value)
    .filter(([name]) => !Object.hasOwn(declared, name))
    .map(([name, member]) => ({
      path: [name],
      schema: patternSchema(schema, name) ?? additionalProperties,
      value: member,
      isOptional: !needed.includes(name),
    }));
  return [...listed, ...further];
}

/** The schema of the first pattern, without asking whether it is the right one: a wrong value does not validate. */
function patternSchema({ patternProperties }: JsonSchema, name: string): unknown {
  if (!isJsonObject(patternProperties)) return undefined;
  const all = Object.entries(patternProperties);
  const matching = all.find(([pattern]) => matches(pattern, name));
  return (matching ?? all[0])?.[1];
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}
