import { isJsonObject, type JsonSchema } from "@decern/core";
import { conjoin } from "./conjoin.js";

const onlyNull: JsonSchema = { enum: [null] };

/** OpenAPI 3.0 has no type `null` and no list of types: null is `nullable` beside a type, or else a value. */
export function nullForOpenApi(schema: JsonSchema): JsonSchema {
  return nullableEnum(nullableUnion(withoutTypeList(schema)));
}

function withoutTypeList(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (type === "null") return "enum" in rest ? conjoin(rest, onlyNull) : { ...rest, ...onlyNull };
  if (!Array.isArray(type)) return schema;
  const types = type.filter((name) => name !== "null");
  const nullable = types.length < type.length;
  const [only, second] = types;
  if (only === undefined) return { ...rest, ...onlyNull };
  if (second === undefined) return { type: only, ...rest, ...(nullable ? { nullable } : {}) };
  const branches: JsonSchema[] = types.map((name) =>
    name === "array" ? { type: name, items: {} } : { type: name },
  );
  return conjoin(rest, { anyOf: nullable ? [...branches, onlyNull] : branches });
}

/** Keywords that speak for null too, beside which `nullable` would not let it through. */
const closed = ["$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"];

/** `anyOf: [X, null]` is X with `nullable`, when X says its type and nothing else speaks against null. */
function nullableUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const other: unknown = anyOf.find((branch) => !isOnlyNull(branch));
  if (!isJsonObject(other) || !anyOf.some(isOnlyNull)) return schema;
  if (typeof other["type"] !== "string" || closed.some((keyword) => keyword in other)) return schema;
  if (Object.keys(rest).some((keyword) => keyword in other)) return schema;
  return { ...rest, ...other, nullable: true };
}

function isOnlyNull(branch: unknown): boolean {
  if (!isJsonObject(branch) || Object.keys(branch).length !== 1) return false;
  const values = branch["enum"];
  return Array.isArray(values) && values.length === 1 && values[0] === null;
}

/** Says the type of an enum in which null is one of several values. */
function nullableEnum(schema: JsonSchema): JsonSchema {
  const values = schema["enum"];
  if (!Array.isArray(values) || "type" in schema || !values.includes(null)) return schema;
  const types = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  const [type] = types;
  if (types.size !== 1 || type === undefined || type === "object") return schema;
  return { type, nullable: true, ...schema };
}
