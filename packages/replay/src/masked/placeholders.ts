import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaNodes } from "./schema-nodes.js";
import { textFor } from "./text-for-pattern.js";

/** Values that stand for a masked one: some of them are valid, as a rule. */
export function placeholdersFor(
  nodes: readonly JsonSchema[],
  schemas: SchemaNodes,
  depth = 0,
): readonly unknown[] {
  const values = nodes.flatMap((node) => valuesOf(node, schemas, depth));
  return values.length > 0 || depth > 0 ? values : ["masked", 0, true, null, {}, []];
}

/** Words of each format. */
const formats: Readonly<Record<string, string>> = {
  date: "2000-01-01",
  "date-time": "2000-01-01T00:00:00Z",
  time: "00:00:00Z",
  duration: "P1D",
  email: "masked@example.org",
  "idn-email": "masked@example.org",
  hostname: "example.org",
  uri: "https://example.org/",
  url: "https://example.org/",
  "uri-reference": "/masked",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

function valuesOf(node: JsonSchema, schemas: SchemaNodes, depth: number): readonly unknown[] {
  if ("const" in node) return [node["const"]];
  const { enum: listed, examples } = node;
  const given = [
    ...(Array.isArray(listed) ? listed.slice(0, 2) : []),
    ...("default" in node ? [node["default"]] : []),
    ...(Array.isArray(examples) ? examples.slice(0, 2) : []),
  ];
  if (Array.isArray(listed)) return given;
  const types: readonly unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  return [...given, ...types.flatMap((type) => made(type, node, schemas, depth))];
}

function made(type: unknown, node: JsonSchema, schemas: SchemaNodes, depth: number): readonly unknown[] {
  switch (type) {
    case "string":
      return texts(node);
    case "integer":
    case "number":
      return numbers(node);
    case "boolean":
      return [false, true];
    case "null":
      return [null];
    case "array":
      return lists(node, schemas, depth);
    case "object":
      return objects(node, schemas, depth);
    default:
      return [];
  }
}

function texts({ format, pattern, minLength, maxLength }: JsonSchema): readonly string[] {
  const least = typeof minLength === "number" ? Math.min(minLength, 10_000) : 0;
  const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const known = typeof format === "string" ? formats[format] : undefined;
  if (typeof pattern === "string") return textFor(pattern, least, known);
  return [
    ...(known === undefined ? [] : [known]),
    "masked".padEnd(least, "x").slice(0, Math.max(least, Math.min(most, 6))),
  ];
}

function numbers(node: JsonSchema): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const lowest = typeof minimum === "number" ? minimum : exclusiveMinimum;
  const highest = typeof maximum === "number" ? maximum : exclusiveMaximum;
  const found = [0, 1];
  if (typeof lowest === "number")
    found.push(lowest, Math.ceil(lowest / step) * step, (Math.floor(lowest / step) + 1) * step);
  if (typeof highest === "number")
    found.push(highest, Math.floor(highest / step) * step, (Math.ceil(highest / step) - 1) * step);
  if (typeof lowest === "number" && typeof highest === "number") found.push((lowest + highest) / 2);
  return [...new Set(found)].filter(
    (value) =>
      (typeof minimum !== "number" || value >= minimum) &&
      (typeof maximum !== "number" || value <= maximum) &&
      (typeof exclusiveMinimum !== "number" || value > exclusiveMinimum) &&
      (typeof exclusiveMaximum !== "number" || value < exclusiveMaximum),
  );
}

function lists(node: JsonSchema, schemas: SchemaNodes, depth: number): readonly unknown[] {
  const { minItems, items } = node;
  if (typeof minItems !== "number" || minItems === 0) return [[]];
  if (!isJsonObject(items) || minItems > 1000 || depth > 6) return [];
  const [item] = placeholdersFor(schemas.alternatives(items), schemas, depth + 1);
  return item === undefined ? [] : [Array.from({ length: minItems }, () => item)];
}

function objects(node: JsonSchema, schemas: SchemaNodes, depth: number): readonly unknown[] {
  const { required, properties } = node;
  if (depth > 6) return [];
  const made: Record<string, unknown> = {};
  for (const name of Array.isArray(required) ? required : []) {
    const property: unknown = isJsonObject(properties) ? properties[name] : undefined;
    if (!isJsonObject(property)) continue;
    [made[name]] = placeholdersFor(schemas.alternatives(property), schemas, depth + 1);
  }
  return [made];
}
