import type { JsonSchema } from "@decern/core";
import { isJsonObject, unescapePointer } from "@decern/core/schema";
import { type PatternChoices, TextPattern } from "@decern/core/tools";

/** Values to put in place of a masked one. Usually some of them are valid. */
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
  if (typeof pattern === "string") return textsFor(pattern, least, known);
  return [
    ...(known === undefined ? [] : [known]),
    "masked".padEnd(least, "x").slice(0, Math.max(least, Math.min(most, 6))),
  ];
}

/** Most characters of a text for a pattern. */
const maxLength = 1000;

/**
 * Texts that match a pattern.
 *
 * @param least - characters that they must have
 * @param known - tried first
 */
function textsFor(pattern: string, least: number, known: string | undefined): readonly string[] {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return [];
  }
  const made = [0, 1, least].map((count) =>
    new TextPattern(pattern, plainChoices(count), maxLength).sample(),
  );
  return [...new Set(known === undefined ? made : [known, ...made])].filter(
    (text) => text.length >= least && expression.test(text),
  );
}

/** Letters and digits where a pattern allows them, and everything as near to `count` times as it allows. */
function plainChoices(count: number): PatternChoices {
  return {
    pick: (from) => from.find((text) => /[A-Za-z0-9]/.test(text)) ?? from[0],
    times: (least, most) => Math.min(most, Math.max(least, count)),
  };
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

/** Most alternatives of one place that are looked at. */
const maxNodes = 20;

/** A JSON Schema with everything that it refers to. */
export class SchemaNodes {
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** The schemas that apply, or may apply, to a place. */
  at(tokens: readonly string[]): readonly JsonSchema[] {
    let nodes = this.alternatives(this.#root);
    for (const token of tokens) {
      const below = nodes.flatMap((node) => below1(node, token));
      nodes = below.flatMap((node) => this.alternatives(node)).slice(0, maxNodes);
    }
    return nodes;
  }

  /** A schema, and what it is combined from. */
  alternatives(schema: JsonSchema, depth = 0): readonly JsonSchema[] {
    if (depth > 8) return [];
    const { $ref } = schema;
    const parts = [schema["allOf"], schema["anyOf"], schema["oneOf"]].flatMap((list) =>
      Array.isArray(list) ? list.filter(isJsonObject) : [],
    );
    const referred = typeof $ref === "string" ? this.#resolve($ref) : undefined;
    return [schema, ...(referred === undefined ? parts : [...parts, referred])]
      .flatMap((part) => (part === schema ? [part] : this.alternatives(part, depth + 1)))
      .slice(0, maxNodes);
  }

  #resolve(ref: string): JsonSchema | undefined {
    if (ref === "#") return this.#root;
    if (!ref.startsWith("#/")) return undefined;
    let node: unknown = this.#root;
    for (const token of ref.slice(2).split("/")) {
      const name = unescapePointer(decodeURIComponent(token));
      node = isJsonObject(node) ? node[name] : undefined;
    }
    return isJsonObject(node) ? node : undefined;
  }
}

function below1(node: JsonSchema, token: string): readonly JsonSchema[] {
  const { properties, items, prefixItems, additionalItems, additionalProperties, patternProperties } = node;
  const found: unknown[] = [];
  if (isJsonObject(properties) && Object.hasOwn(properties, token)) found.push(properties[token]);
  else
    found.push(
      additionalProperties,
      ...Object.values(isJsonObject(patternProperties) ? patternProperties : {}),
    );
  if (/^\d+$/.test(token)) {
    const list: unknown = Array.isArray(prefixItems) ? prefixItems : items;
    if (Array.isArray(list)) found.push(list[Number(token)] ?? additionalItems ?? items);
    else found.push(items);
  }
  return found.filter(isJsonObject);
}
