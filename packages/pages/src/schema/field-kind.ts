import { isObject, type JsonObject, listOf, numberOf, own, textOf } from "../model/json.js";
import { resolveSchema } from "./resolve-schema.js";

export type Scalar = string | number | boolean | null;

/** The kind of form field that a schema needs. */
export type FieldKind =
  | { readonly kind: "object"; readonly properties: readonly Property[] }
  | {
      readonly kind: "array";
      readonly items: JsonObject;
      readonly minItems: number;
      readonly maxItems: number | undefined;
    }
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
  if (["anyOf", "oneOf", "allOf", "not", "if"].some((keyword) => Object.hasOwn(schema, keyword))) return json;
  switch (schema["type"]) {
    case "object":
      return objectOf(schema);
    case "array": {
      const items = own(schema, "items");
      if (!isObject(items) || Object.hasOwn(schema, "prefixItems")) return json;
      return {
        kind: "array",
        items,
        minItems: numberOf(schema, "minItems") ?? 0,
        maxItems: numberOf(schema, "maxItems"),
      };
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
  const properties = propertiesOf(schema);
  const open = isObject(own(schema, "additionalProperties")) || Object.hasOwn(schema, "patternProperties");
  return properties.length === 0 && open ? json : { kind: "object", properties };
}

function enumOf(values: readonly unknown[]): FieldKind {
  const scalars = values.filter((value): value is Scalar => typeof value !== "object" || value === null);
  return scalars.length === values.length && values.length > 0 ? { kind: "enum", values: scalars } : json;
}

/** The rest of a schema that allows null beside something else. */
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
