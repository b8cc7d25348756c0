import type { JsonSchema, LogicThreshold } from "@decern/core";
import { isJsonObject, listOf, memberOf, schemaNodes } from "@decern/core/schema";
import { dateGrid, type Grid, numberGrid, withParts } from "./grids.js";
import { type Path, pointerOf } from "./trials.js";

/** A field of an input, and what else it could be. */
export interface Field {
  readonly path: Path;
  /** With its default filled in. `undefined` where it has none. */
  readonly value: unknown;
  /** Other values. `undefined` leaves the field out. */
  readonly others: readonly unknown[];
  /** Present for numbers and dates. */
  readonly grid: Grid | undefined;
  /** Whether the other values stand for all that a text could be. */
  readonly isClosed: boolean;
}

/** More would be searched for longer than anybody waits. */
const maxFields = 200;

/** An input with more values is looked at as far as this: the event loop waits meanwhile. */
const maxVisited = 10_000;

/** More would only be counted. */
export const maxSkipped = 100;

/** What rules may compare a field with. */
interface Hints {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  /** Of the decision's logic, by path of the field. */
  readonly thresholds: ReadonlyMap<string, LogicThreshold>;
  /** Whether the input with another value there is valid, and validation leaves it as it is. */
  keeps(path: Path, value: unknown): boolean;
}

/** The fields to search, and the first places of those that could also be something that is not tried. */
interface Fields {
  readonly fields: readonly Field[];
  readonly open: readonly Path[];
}

/**
 * Lists the fields of an input that could be something else: numbers, dates, booleans, listed values, and what may be null, left
 * out or added. Free text could be anything: only the schema's examples and texts of the profile are tried.
 */
export function fieldsOf(input: unknown, schema: JsonSchema, hints: Hints): Fields {
  const fields: Field[] = [];
  const open: Path[] = [];
  let visited = 0;
  /** Whether what is left could neither be searched nor listed. */
  const isFull = (): boolean =>
    visited > maxVisited || (fields.length >= maxFields && open.length >= maxSkipped);
  const skip = (path: Path): void => {
    if (open.length < maxSkipped) open.push(path);
  };
  const visit = (inner: unknown, value: unknown, path: Path, mayLeaveOut: boolean): void => {
    visited += 1;
    if (fields.length >= maxFields || visited > maxVisited) {
      skip(path);
      return;
    }
    const nodes = schemaNodes(inner, schema);
    if (isJsonObject(value)) {
      const names = new Set(nodes.flatMap((node) => Object.keys(propertiesOf(node))));
      for (const name of Object.keys(value)) names.add(name);
      for (const name of names) {
        if (isFull()) return;
        const required = nodes.some((node) => listOf(node["required"]).includes(name));
        const below = anyOf(
          nodes.map((node) => memberOf(propertiesOf(node), name) ?? node["additionalProperties"]),
        );
        visit(below, memberOf(value, name), [...path, name], !required);
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isFull()) return;
        const below = anyOf(nodes.map((node) => itemOf(node, index)));
        visit(below, item, [...path, index], false);
      }
    } else {
      const field = leafOf(nodes, value, path, mayLeaveOut, hints);
      if (field.grid !== undefined || field.others.length > 0) fields.push(field);
      if (!field.isClosed && isOpen(nodes, field)) skip(path);
    }
  };
  visit(schema, input, [], false);
  return { fields, open };
}

/** Whether a field could also be something that is not tried. */
function isOpen(nodes: readonly JsonSchema[], { value, grid }: Field): boolean {
  if (grid !== undefined) return false;
  if (value === undefined)
    return nodes.length === 0 || nodes.some((node) => !isListed(node) && !allowsOnlyFlags(node));
  return typeof value === "string" && !nodes.some(isListed);
}

function allowsOnlyFlags({ type }: JsonSchema): boolean {
  return type === "boolean" || type === "null";
}

function leafOf(
  nodes: readonly JsonSchema[],
  given: unknown,
  path: Path,
  mayLeaveOut: boolean,
  { numbers, texts, thresholds, keeps }: Hints,
): Field {
  const { values: limits = [], isComplete = false } = thresholds.get(pointerOf(path)) ?? {};
  const filledIn = nodes.find((node) => "default" in node)?.["default"];
  const value = given === undefined ? filledIn : given;
  const others = new Set(nodes.flatMap(listed));
  const isText = nodes.some((node) => allows(node, ["string"]) && !isListed(node));
  if (value === undefined) for (const node of nodes) for (const one of samplesFor(node)) others.add(one);
  if (isText) for (const text of [...nodes.flatMap(exampleTexts), ...texts]) others.add(text);
  const isFew = limits.length <= maxLimits;
  const kind = isText ? "string" : value === undefined ? "number" : undefined;
  if (isFew) for (const limit of limits) if (typeof limit === kind) others.add(limit);
  // Texts that no condition names are all the same. Only where all conditions are known, since each `keeps` reads the whole input.
  const isUnnamed = (text: string): boolean => !limits.includes(text);
  const unnamed = !(isText && isFew && isComplete)
    ? undefined
    : typeof value === "string" && isUnnamed(value)
      ? value
      : unnamedTexts.find((text) => isUnnamed(text) && keeps(path, text));
  if (unnamed !== undefined) others.add(unnamed);
  others.delete(value);
  // Where there is a default, to leave the field out is to give it that value.
  if (given !== undefined && filledIn === undefined && mayLeaveOut) others.add(undefined);
  const grids = nodes.map((node) => {
    if (isListed(node)) return undefined;
    if (typeof value === "number" && allows(node, ["number", "integer"]))
      return numberGrid(value, node, [...numbers, ...nearest(limits, value)]);
    return typeof value === "string" && node["format"] === "date" ? dateGrid(value) : undefined;
  });
  const grid = grids.find((one) => one !== undefined);
  const isClosed = unnamed !== undefined && typeof value === "string";
  if (grid === undefined) return { path, value, others: [...others], grid, isClosed };
  return {
    path,
    value,
    others: [...others].filter(isNoText),
    grid: isComplete ? withParts(grid, limits) : grid,
    isClosed,
  };
}

/** A text with more thresholds is searched as others are. */
const maxLimits = 500;

/** One of them, where it is valid, stands for all that no condition names. */
const unnamedTexts: readonly string[] = ["other", "Other", "x", "X", "xxxxxxxx", "0", "00000000"];

/** The thresholds next to a number, as hints where they don't tell all. */
function nearest(limits: readonly unknown[], value: number): readonly number[] {
  return limits
    .filter((limit) => typeof limit === "number")
    .sort((one, other) => Math.abs(one - value) - Math.abs(other - value))
    .slice(0, maxHints);
}

const maxHints = 60;

function isNoText(value: unknown): boolean {
  return typeof value !== "string";
}

/** Values that a field could start with where it has none: its examples and, of a number, its bounds. */
function samplesFor(node: JsonSchema): readonly unknown[] {
  const examples = scalars([...listOf(node["examples"]), ...("example" in node ? [node["example"]] : [])]);
  if (isListed(node) || !allows(node, ["number", "integer"])) return examples;
  const bounds = [node["minimum"], node["maximum"]].filter((bound) => typeof bound === "number");
  return [...examples, ...(bounds.length === 0 ? [0, 1] : bounds)];
}

function exampleTexts(node: JsonSchema): readonly unknown[] {
  return samplesFor(node).filter((value) => typeof value === "string");
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
