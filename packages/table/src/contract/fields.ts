import type { JsonSchema } from "@decern/core";
import { isJsonObject, listOf, memberOf, schemaNodes } from "@decern/core/schema";
import type { Bound, Column, ColumnType, Scalar } from "../cells/condition.js";
import { scalarOf } from "../cells/scalar.js";

/** A single value that a schema describes, at the path that a table's column or a reference names. */
export interface Field extends Column {
  /** Whether the value can be missing. `isNullable` also says that of inputs. */
  readonly isOptional: boolean;
  /** Whether `null` is one of its values. */
  readonly allowsNull: boolean;
}

/** Splits `parcel.weightKg`; `undefined` for text that is no path. */
export function pathOf(text: string): readonly string[] | undefined {
  const names = text.split(".");
  return names.every((name) => name !== "" && name === name.trim() && name !== "__proto__")
    ? names
    : undefined;
}

/**
 * What a schema has at a path.
 *
 * @param root - the schema's document, for its references
 * @returns why there is no single value, as the end of a sentence that begins with the path
 */
export function fieldAt(schema: unknown, root: JsonSchema, path: readonly string[]): Field | string {
  let nodes = schemaNodes(schema, root);
  let isOptional = false;
  for (const name of path) {
    const found: JsonSchema[] = [];
    for (const node of nodes) {
      const property = memberOf(node["properties"], name) ?? additional(node);
      if (property === undefined) {
        isOptional = true;
        continue;
      }
      if (!listOf(node["required"]).includes(name)) isOptional = true;
      found.push(...schemaNodes(property, root));
    }
    if (found.length === 0) return "is unknown";
    nodes = found;
  }
  return fieldOf(nodes, path, isOptional);
}

function additional({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined;
}

/** Deeper fields of a schema are not listed. */
const mostNames = 6;

/** The paths of all single values that a schema describes. */
export function pathsOf(schema: unknown, root: JsonSchema, path: readonly string[] = []): readonly string[] {
  const names = new Set(schemaNodes(schema, root).flatMap(({ properties }) => Object.keys(properties ?? {})));
  return [...names].flatMap((name) => {
    if (pathOf(name)?.length !== 1) return [];
    const field = fieldAt(schema, root, [name]);
    const at = [...path, name];
    if (typeof field !== "string") return [at.join(".")];
    if (at.length === mostNames) return [];
    const below = schemaNodes(schema, root).map(({ properties }) => memberOf(properties, name));
    return [...new Set(below.flatMap((each) => pathsOf(each, root, at)))];
  });
}

/** What one alternative of a schema allows. */
interface Alternative {
  readonly type: ColumnType;
  readonly node: JsonSchema;
  readonly members: readonly Scalar[] | undefined;
}

function fieldOf(nodes: readonly JsonSchema[], path: readonly string[], isOptional: boolean): Field | string {
  const alternatives: Alternative[] = [];
  let allowsNull = false;
  for (const node of nodes) {
    const { type, values, hasNull } = valuesOf(node);
    allowsNull ||= hasNull;
    if (type === "null") continue;
    if (type === undefined) return "is not a single number, text or boolean in the schema";
    const members = values?.map((value) => scalarOf(type, value)).filter((value) => value !== undefined);
    alternatives.push({ type, node, members });
  }
  const [first] = alternatives;
  if (first === undefined) return "has no value but null in the schema";
  const { type } = first;
  if (alternatives.some((other) => other.type !== type)) return "has values of several types in the schema";
  return {
    path,
    type,
    isOptional,
    allowsNull,
    isNullable: isOptional || allowsNull,
    ...domainOf(alternatives),
  };
}

interface Values {
  readonly type: ColumnType | "null" | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly hasNull: boolean;
}

function valuesOf(node: JsonSchema): Values {
  const listed = "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? node["enum"] : undefined;
  if (listed !== undefined) {
    const values: readonly unknown[] = listed.filter((value) => value !== null);
    const hasNull = values.length < listed.length;
    if (values.length === 0) return { type: "null", values, hasNull };
    const kinds = new Set(values.map((value) => typeof value));
    const [kind] = kinds;
    return { type: kinds.size === 1 ? columnType(kind, node) : undefined, values, hasNull };
  }
  const types: readonly unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  const others = types.filter((type) => type !== "null");
  const hasNull = others.length < types.length || node["nullable"] === true;
  if (others.length === 0) return { type: "null", values: undefined, hasNull };
  const kinds = new Set(others.map((type) => columnType(type === "integer" ? "number" : type, node)));
  const [type] = kinds;
  return { type: kinds.size === 1 ? type : undefined, values: undefined, hasNull };
}

function columnType(kind: unknown, { format }: JsonSchema): ColumnType | undefined {
  if (kind === "number" || kind === "boolean") return kind;
  if (kind !== "string") return undefined;
  return format === "date" || format === "date-time" || format === "duration" ? format : "text";
}

type Domain = Pick<Column, "members" | "minimum" | "maximum" | "isInteger" | "multipleOf">;

/** What all alternatives together allow. */
function domainOf(alternatives: readonly Alternative[]): Domain {
  const lists = alternatives.map(({ members }) => members);
  const members = lists.every((list) => list !== undefined) ? [...new Set(lists.flat())] : undefined;
  const minima = alternatives.map(({ node }) => boundOf(node, "minimum", "exclusiveMinimum", Math.max));
  const maxima = alternatives.map(({ node }) => boundOf(node, "maximum", "exclusiveMaximum", Math.min));
  const [step, ...otherSteps] = new Set(alternatives.map(({ node }) => node["multipleOf"]));
  return {
    isInteger: alternatives.every(({ node }) => isInteger(node)),
    ...(members === undefined ? {} : { members }),
    ...optional(
      "minimum",
      widest(minima, (a, b) => a.value < b.value || (a.value === b.value && a.isClosed)),
    ),
    ...optional(
      "maximum",
      widest(maxima, (a, b) => a.value > b.value || (a.value === b.value && a.isClosed)),
    ),
    ...(typeof step === "number" && otherSteps.length === 0 ? { multipleOf: step } : {}),
  };
}

function isInteger({ type }: JsonSchema): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes("integer") && !types.includes("number");
}

function optional<Name extends string>(
  name: Name,
  bound: Bound | undefined,
): { readonly [Key in Name]?: Bound } {
  // Holds: the one member is of that name.
  return (bound === undefined ? {} : { [name]: bound }) as { readonly [Key in Name]?: Bound };
}

function boundOf(
  node: JsonSchema,
  closed: string,
  open: string,
  narrower: (a: number, b: number) => number,
): Bound | undefined {
  const closedAt = node[closed];
  const openAt = node[open];
  if (typeof openAt === "number" && (typeof closedAt !== "number" || narrower(openAt, closedAt) === openAt))
    return { value: openAt, isClosed: false };
  return typeof closedAt === "number" ? { value: closedAt, isClosed: true } : undefined;
}

/** `undefined` if one alternative has no bound. */
function widest(
  bounds: readonly (Bound | undefined)[],
  isWider: (a: Bound, b: Bound) => boolean,
): Bound | undefined {
  let found: Bound | undefined;
  for (const bound of bounds) {
    if (bound === undefined) return undefined;
    if (found === undefined || isWider(bound, found)) found = bound;
  }
  return found;
}
