import type { JsonSchema } from "@decern/core";
import { isJsonObject, listOf, memberOf, schemaNodes } from "@decern/core/schema";
import type { Path } from "./trials.js";

/** The values of a number or a date that are tried, each with its place: neighbours are one apart. */
export interface Grid {
  readonly step: number;
  readonly lowest: number;
  readonly highest: number;
  /** The place of the value that the field has, which may lie between two others. */
  readonly origin: number;
  /** Places worth a look. */
  readonly hints: readonly number[];
  valueAt(place: number): unknown;
}

/** Beyond, places could not be distinguished. */
const maxPlaces = 2 ** 50;

const maxDigits = 9;

/**
 * The values of a number: the integers, the multiples that the schema asks for, or else those with two decimals, or as many as
 * its value and its bounds have. Where a schema sets no bound, a thousand times the value is far enough.
 *
 * @param hints - numbers that rules may compare with
 * @returns `undefined` for a number too large to tell from its neighbours
 */
function numberGrid(value: number, node: JsonSchema, hints: readonly number[]): Grid | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const above = numberOf(exclusiveMinimum);
  const below = numberOf(exclusiveMaximum);
  const bounds = [numberOf(minimum), numberOf(maximum), above, below].filter((bound) => bound !== undefined);
  const isInteger = node["type"] === "integer";
  const asked = numberOf(multipleOf);
  const digits = Math.min(maxDigits, Math.max(2, ...[value, ...bounds].map(fractionDigits)));
  const step = asked !== undefined && asked > 0 ? asked : isInteger ? 1 : 10 ** -digits;
  const decimals = Math.min(20, Math.max(fractionDigits(step), 0));
  const reach = Math.max(1, Math.abs(value), ...hints.map(Math.abs)) * 1000;
  const from = Math.max(numberOf(minimum) ?? above ?? -reach, above ?? -Infinity);
  const to = Math.min(numberOf(maximum) ?? below ?? reach, below ?? Infinity);
  const lowest = Math.ceil(roundedPlace(from / step)) + (isPlace(above, from, step) ? 1 : 0);
  const highest = Math.floor(roundedPlace(to / step)) - (isPlace(below, to, step) ? 1 : 0);
  if (!(Math.max(Math.abs(lowest), Math.abs(highest)) <= maxPlaces) || lowest > highest) return undefined;
  return {
    step,
    lowest,
    highest,
    origin: roundedPlace(value / step),
    hints: hints.map((hint) => Math.round(hint / step)),
    // Decimal arithmetic: 3 times 0.1 is 0.3. A negative zero would become zero in JSON.
    valueAt: (place) => Number((place * step).toFixed(decimals)) + 0,
  };
}

const dayMs = 86_400_000;

/** A century and a half each way. */
const dateReach = 55_000;

/** The days around a date. */
function dateGrid(value: string): Grid | undefined {
  const origin = Date.parse(`${value}T00:00:00Z`) / dayMs;
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || !Number.isInteger(origin)) return undefined;
  const clamp = (day: number): number => Math.min(Math.max(day, firstDay), lastDay);
  return {
    step: 1,
    lowest: clamp(origin - dateReach),
    highest: clamp(origin + dateReach),
    origin,
    hints: [],
    valueAt: (place) => new Date(place * dayMs).toISOString().slice(0, 10),
  };
}

/** Those with a year of four digits. */
const firstDay = Date.parse("0000-01-01T00:00:00Z") / dayMs;

const lastDay = Date.parse("9999-12-31T00:00:00Z") / dayMs;

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Division leaves 0.3 / 0.1 a little short of three. */
function roundedPlace(place: number): number {
  const rounded = Math.round(place);
  return Math.abs(place - rounded) <= Math.abs(place) * 1e-12 ? rounded : place;
}

function isPlace(exclusive: number | undefined, bound: number, step: number): boolean {
  return exclusive === bound && Number.isInteger(roundedPlace(bound / step));
}

function fractionDigits(value: number): number {
  const [, fraction = "", exponent = "0"] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

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

/** What rules may compare a field with. */
interface Hints {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}

/** The fields to search, and the places of those that could also be something that is not tried. */
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
  const visit = (inner: unknown, value: unknown, path: Path, mayLeaveOut: boolean): void => {
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
      const hasRoom = fields.length < maxFields;
      if (hasRoom && (field.grid !== undefined || field.others.length > 0)) fields.push(field);
      if (!hasRoom || isOpen(nodes, field)) open.push(path);
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
  { numbers, texts }: Hints,
): Field {
  const filledIn = nodes.find((node) => "default" in node)?.["default"];
  const value = given === undefined ? filledIn : given;
  const others = new Set(nodes.flatMap(listed));
  const isText = nodes.some((node) => allows(node, ["string"]) && !isListed(node));
  if (value === undefined) for (const node of nodes) for (const one of samplesFor(node)) others.add(one);
  if (isText) for (const text of [...nodes.flatMap(exampleTexts), ...texts]) others.add(text);
  others.delete(value);
  // Where there is a default, to leave the field out is to give it that value.
  if (given !== undefined && filledIn === undefined && mayLeaveOut) others.add(undefined);
  const grids = nodes.map((node) => {
    if (isListed(node)) return undefined;
    if (typeof value === "number" && allows(node, ["number", "integer"]))
      return numberGrid(value, node, numbers);
    return typeof value === "string" && node["format"] === "date" ? dateGrid(value) : undefined;
  });
  const grid = grids.find((one) => one !== undefined);
  return { path, value, others: grid === undefined ? [...others] : [...others].filter(isNoText), grid };
}

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
