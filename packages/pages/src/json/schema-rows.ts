import { branchesOf, propertiesOf } from "./field-kind.js";
import { constraintsOf, refName, resolveSchema } from "./schema.js";
import { isObject, type JsonObject, listOf, own, textOf } from "./values.js";

/** One row of a schema's table. */
export interface SchemaRow {
  /** Names from the top; items of a list are `[]`. */
  readonly path: readonly string[];
  readonly type: string;
  readonly required: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly constraints: readonly string[];
  /** What the value, or each item of a list, is one of. */
  readonly values: readonly unknown[] | undefined;
  readonly defaultValue: unknown;
}

const maxRows = 300;

/** A schema as table rows: each property follows its object. A recursive type is named, not repeated. */
export function schemaRows(root: JsonObject): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  const visit = (schema: JsonObject, path: readonly string[], open: readonly JsonObject[]): void => {
    for (const { name, schema: unresolved, required } of propertiesOf(schema)) {
      add(unresolved, [...path, name], required, open);
    }
    const rest = own(schema, "additionalProperties");
    if (isObject(rest)) add(rest, [...path, "*"], false, open);
  };
  const add = (
    unresolved: JsonObject,
    path: readonly string[],
    required: boolean,
    open: readonly JsonObject[],
  ): void => {
    if (rows.length >= maxRows) return;
    const schema = resolveSchema(unresolved, root);
    const target = itemsOf(schema, root);
    rows.push({
      ...rowOf(unresolved, schema, path),
      required,
      values: valuesOf(schema) ?? valuesOf(target.schema),
    });
    const branches = branchesOf(target.schema, root);
    if (branches !== undefined && !open.includes(target.schema)) {
      const last = `${path.at(-1)}${target.list ? "[]" : ""}`;
      for (const { label, schema: branch } of branches) {
        const inner = resolveSchema(branch, root);
        if (inner["type"] !== "object") continue;
        const place = [...path.slice(0, -1), `${last}: ${label}`];
        rows.push({ ...rowOf(branch, inner, place), required, type: "object" });
        visit(inner, place, [...open, target.schema]);
      }
      return;
    }
    const key = own(target.schema, "properties");
    if (isObject(key) && !open.includes(key)) {
      visit(target.schema, target.list ? [...path.slice(0, -1), `${path.at(-1)}[]`] : path, [...open, key]);
    } else if (!isObject(key) || Object.keys(key).length === 0) {
      visit(target.schema, path, open);
    }
  };
  const rowOf = (unresolved: JsonObject, schema: JsonObject, path: readonly string[]) => ({
    path,
    type: typeName(unresolved, root),
    title: textOf(schema, "title"),
    description: textOf(schema, "description"),
    constraints: constraintsOf(schema),
    values: undefined,
    defaultValue: own(schema, "default"),
  });
  const top = resolveSchema(root, root);
  const properties = own(top, "properties");
  if (top["type"] === "object") visit(top, [], isObject(properties) ? [properties] : []);
  else add(root, ["(whole)"], true, []);
  return rows;
}

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  return Object.hasOwn(schema, "const") ? [schema["const"]] : listOf(schema, "enum");
}

function itemsOf(schema: JsonObject, root: JsonObject): { schema: JsonObject; list: boolean } {
  const items = own(schema, "items");
  return isObject(items) ? { schema: resolveSchema(items, root), list: true } : { schema, list: false };
}

/** A type in words, such as `list of strings` or `number or null`. */
export function typeName(unresolved: JsonObject, root: JsonObject, depth = 0): string {
  if (depth > 4) return "…";
  const schema = resolveSchema(unresolved, root);
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword);
    if (branches !== undefined) {
      const objects = (branchesOf(schema, root) ?? []).filter((one) => hasProperties(one.schema, root));
      if (objects.length === branches.length)
        return `one of: ${objects.map(({ label }) => label).join(", ")}`;
      const names = branches.map((branch) => (isObject(branch) ? typeName(branch, root, depth + 1) : "any"));
      return [...new Set(names)].join(" or ");
    }
  }
  if (Object.hasOwn(schema, "const")) return "constant";
  if (Object.hasOwn(schema, "enum")) return "one of";
  const { type } = schema;
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    const { items } = schema;
    if (Array.isArray(items) || Object.hasOwn(schema, "prefixItems")) return "tuple";
    return isObject(items) ? `list of ${plural(typeName(items, root, depth + 1))}` : "list";
  }
  if (type === "object")
    return refName(unresolved) ?? (isObject(own(schema, "additionalProperties")) ? "map" : "object");
  return typeof type === "string" ? type : "any";
}

function hasProperties(schema: JsonObject, root: JsonObject): boolean {
  return propertiesOf(resolveSchema(schema, root)).length > 0;
}

/** JSON types have a plural; the names of definitions, and types in several words, stay as they are. */
const plurals: Readonly<Record<string, string>> = {
  array: "lists",
  boolean: "booleans",
  constant: "constants",
  integer: "integers",
  list: "lists",
  map: "maps",
  number: "numbers",
  object: "objects",
  string: "strings",
  tuple: "tuples",
};

function plural(type: string): string {
  if (type.startsWith("list of ")) return `lists${type.slice("list".length)}`;
  return Object.hasOwn(plurals, type) ? (plurals[type] ?? type) : type;
}
