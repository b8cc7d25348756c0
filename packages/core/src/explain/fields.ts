import { isJsonObject, type JsonSchema } from "../schema/json-schema.js";
import { dateGrid, type Grid, numberGrid } from "./grid.js";
import type { Path } from "./replace-at.js";
import { listOf, memberOf, schemaNodes } from "./schema-nodes.js";

/** A field of an input, and what else it could be. */
export interface Field {
  readonly path: Path;
  /** With its default filled in. `undefined` where it has none. */
  readonly value: unknown;
  /** Other values. `undefined` leaves the field out. */
  readonly others: readonly unknown[];
  /** Present for numbers and dates. */
  readonly grid: Grid | undefined;
}

/** More would be searched for longer than anybody waits. */
const maxFields = 200;

/**
 * Lists the fields of an input that could be something else: numbers, dates, booleans, listed values, and what may be null or
 * left out. Free text could be anything, and is not searched.
 *
 * @param hints - numbers that rules may compare with
 */
export function fieldsOf(input: unknown, schema: JsonSchema, hints: readonly number[]): readonly Field[] {
  const fields: Field[] = [];
  const visit = (inner: unknown, value: unknown, path: Path, mayLeaveOut: boolean): void => {
    if (fields.length >= maxFields) return;
    const nodes = schemaNodes(inner, schema);
    if (isJsonObject(value)) {
      const names = new Set(nodes.flatMap((node) => Object.keys(propertiesOf(node))));
      for (const name of Object.keys(value)) names.add(name);
      for (const name of names) {
        const required = nodes.some((node) => listOf(node["required"]).includes(name));
        const below = anyOf(
          nodes.map((node) => memberOf(propertiesOf(node), name) ?? node["additionalProperties"]),
        );
        visit(below, memberOf(value, name), [...path, name], !required);
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const below = anyOf(nodes.map((node) => itemOf(node, index)));
        visit(below, item, [...path, index], false);
      }
    } else {
      const field = leafOf(nodes, value, path, mayLeaveOut, hints);
      if (field.grid !== undefined || field.others.length > 0) fields.push(field);
    }
  };
  visit(schema, input, [], false);
  return fields;
}

function leafOf(
  nodes: readonly JsonSchema[],
  given: unknown,
  path: Path,
  mayLeaveOut: boolean,
  hints: readonly number[],
): Field {
  const filledIn = nodes.find((node) => "default" in node)?.["default"];
  const value = given === undefined ? filledIn : given;
  const others = new Set(nodes.flatMap(listed));
  others.delete(value);
  // Where there is a default, to leave the field out is to give it that value.
  if (given !== undefined && filledIn === undefined && mayLeaveOut) others.add(undefined);
  const grids = nodes.map((node) => {
    if (isListed(node)) return undefined;
    if (typeof value === "number" && allows(node, ["number", "integer"]))
      return numberGrid(value, node, hints);
    return typeof value === "string" && node["format"] === "date" ? dateGrid(value) : undefined;
  });
  return { path, value, others: [...others], grid: grids.find((grid) => grid !== undefined) };
}

/** The values that a schema lists. Those that hold others are not looked into. */
function listed(node: JsonSchema): readonly unknown[] {
  if ("const" in node) return scalars([node["const"]]);
  if ("enum" in node) return scalars(listOf(node["enum"]));
  const flags = allows(node, ["boolean"]) ? [true, false] : [];
  return allows(node, ["null"]) ? [...flags, null] : flags;
}

function isListed(node: JsonSchema): boolean {
  return "const" in node || "enum" in node;
}

function scalars(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => value === null || typeof value !== "object");
}

function allows({ type }: JsonSchema, names: readonly string[]): boolean {
  return names.some((name) => type === name || listOf(type).includes(name));
}

function propertiesOf(node: JsonSchema): JsonSchema {
  const properties = node["properties"];
  return isJsonObject(properties) ? properties : {};
}

function itemOf(node: JsonSchema, index: number): unknown {
  const { items, prefixItems } = node;
  const listedItem = listOf(prefixItems)[index] ?? listOf(items)[index];
  return listedItem ?? (Array.isArray(items) ? node["additionalItems"] : items);
}

function anyOf(schemas: readonly unknown[]): JsonSchema {
  return { anyOf: schemas.filter(isJsonObject) };
}
