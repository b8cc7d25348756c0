import { propertiesOf } from "./field-kind.js";
import { resolveSchema } from "./schema.js";
import { isObject, type JsonObject, listOf, numberOf, own, textOf } from "./values.js";

/** Recursive types end here. */
const maxDepth = 12;

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T09:30:00Z",
  time: "09:30:00Z",
  duration: "P1D",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
};

/** A value for a schema: its example or default, else the smallest value it allows. */
export function exampleValue(unresolved: JsonObject, root: JsonObject, depth = 0): unknown {
  const schema = resolveSchema(unresolved, root);
  const examples = listOf(schema, "examples");
  if (examples !== undefined && examples.length > 0) return examples[0];
  for (const keyword of ["example", "default", "const"]) {
    if (Object.hasOwn(schema, keyword)) return schema[keyword];
  }
  const values = listOf(schema, "enum");
  if (values !== undefined && values.length > 0) return values[0];
  if (depth > maxDepth) return null;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword);
    const branch = branches?.find((one) => isObject(one) && one["type"] !== "null") ?? branches?.[0];
    if (isObject(branch)) return exampleValue(branch, root, depth + 1);
  }
  const type = schema["type"];
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return exampleObject(schema, root, depth);
    case "array":
      return exampleArray(schema, root, depth);
    case "string":
      return exampleText(schema);
    case "integer":
      return exampleNumber(schema, 1);
    case "number":
      return exampleNumber(schema, undefined);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return {};
  }
}

function exampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const entries = propertiesOf(schema)
    .filter((property) => property.required)
    .map((property) => [property.name, exampleValue(property.schema, root, depth + 1)]);
  return Object.fromEntries(entries);
}

function exampleArray(schema: JsonObject, root: JsonObject, depth: number): readonly unknown[] {
  const items = own(schema, "items");
  const tuple = listOf(schema, "prefixItems") ?? (Array.isArray(items) ? items : undefined);
  const one = (item: unknown) => (isObject(item) ? exampleValue(item, root, depth + 1) : null);
  if (tuple !== undefined) return tuple.map(one);
  return Array.from({ length: numberOf(schema, "minItems") ?? 0 }, () => one(items));
}

function exampleText(schema: JsonObject): string {
  const text = formats[textOf(schema, "format") ?? ""] ?? "";
  return text.padEnd(numberOf(schema, "minLength") ?? 0, "a");
}

function exampleNumber(schema: JsonObject, unit: number | undefined): number {
  const step = numberOf(schema, "multipleOf") ?? unit;
  const min = numberOf(schema, "minimum");
  const above = numberOf(schema, "exclusiveMinimum");
  const max = numberOf(schema, "maximum");
  const below = numberOf(schema, "exclusiveMaximum");
  const top = Math.min(max ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY);
  if (step !== undefined) {
    const low = Math.max(min ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY);
    const from = low > 0 ? low : Math.min(0, top);
    const first = Math.ceil(from / step) * step;
    if (first > top) return Math.floor(top / step) * step;
    return first === above ? first + step : first === below ? first - step : first;
  }
  const low = Math.max(min ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY);
  if (low < 0 && top > 0) return 0;
  if (low === Number.NEGATIVE_INFINITY) return top === below ? top - 1 : top;
  if (low !== above) return low;
  return top === Number.POSITIVE_INFINITY ? low + 1 : low + (top - low) / 2;
}
