import { isObject, type JsonObject, listOf, numberOf, own, textOf } from "./values.js";

const maxHops = 16;

const annotations = ["title", "description", "default", "examples"];

/** Follows `$ref`. Annotations next to it describe the place and win. An unknown reference allows anything. */
export function resolveSchema(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  const beside: Record<string, unknown> = {};
  for (let hop = 0; hop < maxHops; hop += 1) {
    const ref = textOf(current, "$ref");
    if (ref === undefined) return mergeAllOf({ ...current, ...beside }, root);
    for (const name of annotations) {
      if (Object.hasOwn(current, name) && !Object.hasOwn(beside, name)) beside[name] = current[name];
    }
    current = lookUp(ref, root) ?? {};
  }
  return beside;
}

/** The name of a reference, for tables. */
export function refName(schema: JsonObject): string | undefined {
  const name = textOf(schema, "$ref")?.split("/").at(-1);
  return name === "#" ? "root" : name;
}

function lookUp(ref: string, root: JsonObject): JsonObject | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) {
    for (const keyword of ["$defs", "definitions"]) {
      const definitions = own(root, keyword);
      const found = isObject(definitions) ? own(definitions, ref.replace(/^#/, "")) : undefined;
      if (isObject(found)) return found;
    }
    return undefined;
  }
  let value: unknown = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value) ? own(value, key) : Array.isArray(value) ? value[Number(key)] : undefined;
  }
  return isObject(value) ? value : undefined;
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** Merges objects combined with `allOf`, so the form shows one object. */
function mergeAllOf(schema: JsonObject, root: JsonObject): JsonObject {
  const parts = listOf(schema, "allOf");
  if (parts === undefined) return schema;
  const { allOf: _parts, ...rest } = schema;
  const properties: Record<string, unknown> = {};
  const required: unknown[] = [];
  for (const part of [...parts, rest]) {
    const object = isObject(part) ? resolveSchema(part, root) : {};
    const own = object["properties"];
    if (object !== rest && !isObject(own)) return schema;
    if (isObject(own)) Object.assign(properties, own);
    required.push(...(listOf(object, "required") ?? []));
  }
  return { ...rest, type: "object", properties, required };
}

/** The constraints of a schema besides its type, each in a few words. */
export function constraintsOf(schema: JsonObject): readonly string[] {
  const found = [
    range(
      numberOf(schema, "minimum"),
      numberOf(schema, "exclusiveMinimum"),
      numberOf(schema, "maximum"),
      numberOf(schema, "exclusiveMaximum"),
    ),
    count(numberOf(schema, "minLength"), numberOf(schema, "maxLength"), "character"),
    count(numberOf(schema, "minItems"), numberOf(schema, "maxItems"), "item"),
    count(numberOf(schema, "minProperties"), numberOf(schema, "maxProperties"), "field"),
  ];
  const multipleOf = numberOf(schema, "multipleOf");
  if (multipleOf !== undefined) found.push(`multiple of ${number(multipleOf)}`);
  const format = textOf(schema, "format");
  if (format !== undefined) found.push(`format ${format}`);
  const pattern = textOf(schema, "pattern");
  // A library that has a pattern for its dates says the same twice.
  const isDate = format === "date" || format === "date-time";
  if (pattern !== undefined && !isDate) found.push(`matches ${pattern}`);
  if (schema["uniqueItems"] === true) found.push("no duplicates");
  return found.filter((text) => text !== undefined);
}

function range(min?: number, above?: number, max?: number, below?: number): string | undefined {
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}`;
  const low = min !== undefined ? `≥ ${number(min)}` : above !== undefined ? `> ${number(above)}` : undefined;
  const high =
    max !== undefined ? `≤ ${number(max)}` : below !== undefined ? `< ${number(below)}` : undefined;
  return low !== undefined && high !== undefined ? `${low} and ${high}` : (low ?? high);
}

function count(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const units = (amount: number) => `${number(amount)} ${unit}${amount === 1 ? "" : "s"}`;
  if (min !== undefined && min === max) return `exactly ${units(min)}`;
  if (min !== undefined && min > 0 && max !== undefined) return `${number(min)} to ${units(max)}`;
  if (max !== undefined) return `at most ${units(max)}`;
  return min !== undefined && min > 0 ? `at least ${units(min)}` : undefined;
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 12 });
}
