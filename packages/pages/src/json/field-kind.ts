import { refName, resolveSchema } from "./schema.js";
import { isObject, type JsonObject, listOf, numberOf, own, textOf } from "./values.js";

export type Scalar = string | number | boolean | null;

/** The kind of form field that a schema needs. */
export type FieldKind =
  | {
      readonly kind: "object";
      readonly properties: readonly Property[];
      /** What members with other names are. Undefined where there are none. */
      readonly rest: JsonObject | undefined;
    }
  /** One of several, of which no two are the same. */
  | { readonly kind: "union"; readonly branches: readonly Branch[] }
  | { readonly kind: "array"; readonly items: JsonObject; readonly maxItems: number | undefined }
  | { readonly kind: "enum"; readonly values: readonly Scalar[] }
  | { readonly kind: "string"; readonly format: string | undefined; readonly long: boolean }
  | { readonly kind: "number"; readonly integer: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "nullable"; readonly inner: JsonObject }
  /** Everything else is edited as JSON. */
  | { readonly kind: "json" };

export interface Property {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** One kind of value that a union allows. */
export interface Branch {
  readonly label: string;
  readonly schema: JsonObject;
}

const json: FieldKind = { kind: "json" };

/** A text that may be longer than this gets a larger box. */
const longText = 200;

export function fieldKind(unresolved: JsonObject, root: JsonObject): FieldKind {
  const schema = resolveSchema(unresolved, root);
  const nullable = withoutNull(schema);
  if (nullable !== undefined) return { kind: "nullable", inner: nullable };
  if (Object.hasOwn(schema, "const")) return enumOf([schema["const"]]);
  const values = listOf(schema, "enum");
  if (values !== undefined) return enumOf(values);
  const branches = branchesOf(schema, root);
  if (branches !== undefined) return unionOf(branches);
  if (["anyOf", "oneOf", "allOf", "not", "if"].some((keyword) => Object.hasOwn(schema, keyword))) return json;
  switch (schema["type"]) {
    case "object":
      return objectOf(schema);
    case "array": {
      const items = own(schema, "items");
      if (!isObject(items) || Object.hasOwn(schema, "prefixItems")) return json;
      return { kind: "array", items, maxItems: numberOf(schema, "maxItems") };
    }
    case "string":
      return {
        kind: "string",
        format: textOf(schema, "format"),
        long: (numberOf(schema, "maxLength") ?? 0) > longText,
      };
    case "number":
    case "integer":
      return { kind: "number", integer: schema["type"] === "integer" };
    case "boolean":
      return { kind: "boolean" };
    default:
      return json;
  }
}

/** The properties of an object, in order. */
export function propertiesOf(schema: JsonObject): readonly Property[] {
  const properties = own(schema, "properties");
  if (!isObject(properties)) return [];
  const required = new Set(listOf(schema, "required") ?? []);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: isObject(property) ? property : {},
    required: required.has(name),
  }));
}

function objectOf(schema: JsonObject): FieldKind {
  const rest = own(schema, "additionalProperties");
  const patterns = own(schema, "patternProperties");
  const [pattern] = isObject(patterns) ? Object.values(patterns) : [];
  const others = isObject(rest) ? rest : isObject(pattern) ? pattern : undefined;
  return { kind: "object", properties: propertiesOf(schema), rest: others };
}

/** The branches of a schema that is a union and nothing else, each with a name of its own. */
export function branchesOf(schema: JsonObject, root: JsonObject): readonly Branch[] | undefined {
  const keyword = ["anyOf", "oneOf"].find((name) => (listOf(schema, name)?.length ?? 0) > 1);
  const types = listOf(schema, "type") ?? [];
  const byType = types.length > 1 ? types.map((type) => ({ ...schema, title: undefined, type })) : undefined;
  const listed = keyword === undefined ? byType : listOf(schema, keyword);
  if (listed === undefined || !listed.every(isObject) || isObject(own(schema, "properties")))
    return undefined;
  const names = listed.map((branch) => branchName(branch, root));
  return listed.map((branch, index) => {
    const name = names[index] ?? "";
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    return { label: isUnique ? name : `${name} ${index + 1}`, schema: branch };
  });
}

/** What its author calls a branch, else the constant that tells it from the others, else its type. */
function branchName(branch: JsonObject, root: JsonObject): string {
  const schema = resolveSchema(branch, root);
  const title = textOf(schema, "title");
  if (title !== undefined) return title;
  const properties = propertiesOf(schema);
  for (const { schema: property } of properties) {
    const constant = own(resolveSchema(property, root), "const");
    if (typeof constant === "string") return constant;
  }
  const name = refName(branch);
  if (name !== undefined) return name;
  const [first] = properties;
  const type = textOf(schema, "type") ?? "value";
  return type === "object" && first !== undefined ? `with ${first.name}` : type;
}

/** Alternatives that are constants are a list to choose from. */
function unionOf(branches: readonly Branch[]): FieldKind {
  const constants = branches.flatMap(({ schema }) =>
    Object.hasOwn(schema, "const") ? [schema["const"]] : (listOf(schema, "enum") ?? []),
  );
  const isListed = branches.every(
    ({ schema }) => Object.hasOwn(schema, "const") || Object.hasOwn(schema, "enum"),
  );
  return isListed ? enumOf(constants) : { kind: "union", branches };
}

/** Whether a value is what a schema describes, as far as its types, names and constants tell. */
export function fits(value: unknown, unresolved: JsonObject, root: JsonObject): boolean {
  const schema = resolveSchema(unresolved, root);
  const branches = branchesOf(schema, root);
  if (branches !== undefined) return branches.some((branch) => fits(value, branch.schema, root));
  if (Object.hasOwn(schema, "const")) return schema["const"] === value;
  const values = listOf(schema, "enum");
  if (values !== undefined) return values.includes(value);
  const type = own(schema, "type");
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (
    type !== undefined &&
    !types.includes(typeOf(value)) &&
    !(types.includes("number") && typeOf(value) === "integer")
  )
    return false;
  if (!isObject(value)) return true;
  const properties = propertiesOf(schema);
  return properties.every(({ name, schema: property, required }) =>
    Object.hasOwn(value, name) ? fits(value[name], property, root) : !required,
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function enumOf(values: readonly unknown[]): FieldKind {
  const scalars = values.filter((value): value is Scalar => typeof value !== "object" || value === null);
  return scalars.length === values.length && values.length > 0 ? { kind: "enum", values: scalars } : json;
}

/** The rest of a schema that allows null next to something else. */
function withoutNull(schema: JsonObject): JsonObject | undefined {
  const type = listOf(schema, "type");
  if (type?.length === 2 && type.includes("null")) {
    return { ...schema, type: type.find((name) => name !== "null") };
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword);
    if (branches?.length !== 2) continue;
    const rest = branches.filter((branch) => !isObject(branch) || branch["type"] !== "null");
    const [inner] = rest;
    if (rest.length === 1 && isObject(inner)) {
      const { [keyword]: _branches, default: _default, ...outer } = schema;
      return { ...inner, ...outer };
    }
  }
  return undefined;
}
