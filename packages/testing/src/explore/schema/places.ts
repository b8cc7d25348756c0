import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { absent, type Path } from "../values/json-path.js";
import type { SchemaReader } from "./alternatives.js";

/** A place of an input where another value may stand. */
export interface Place {
  readonly path: Path;
  readonly schema: unknown;
  /** `absent` for an optional member that is left out. */
  readonly value: unknown;
  readonly isOptional: boolean;
}

const most = 2_000;

/** Every place of an input, the root first. */
export function placesOf(reader: SchemaReader, schema: unknown, input: unknown): readonly Place[] {
  const places: Place[] = [];
  const visit = (place: Place): void => {
    if (places.length >= most) return;
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
