import { isJsonObject, type JsonSchema } from "../schema/json-schema.js";

const maxHops = 16;

/** The schemas that a value may follow: references followed, alternatives listed, what applies together put together. */
export function schemaNodes(schema: unknown, root: JsonSchema, hops = maxHops): readonly JsonSchema[] {
  if (!isJsonObject(schema) || hops === 0) return [];
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  let nodes: readonly JsonSchema[] = [own];
  const together = (others: readonly JsonSchema[]): void => {
    if (others.length > 0) nodes = nodes.flatMap((node) => others.map((other) => merge(other, node)));
  };
  if (typeof reference === "string") together(schemaNodes(lookUp(reference, root), root, hops - 1));
  for (const part of listOf(allOf)) together(schemaNodes(part, root, hops - 1));
  for (const branches of [anyOf, oneOf]) {
    together(listOf(branches).flatMap((branch) => schemaNodes(branch, root, hops - 1)));
  }
  return nodes;
}

/** Both at once, as far as the search needs it: what the second says of a keyword wins. */
function merge(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties = { ...objectOf(first["properties"]), ...objectOf(second["properties"]) };
  const required = [...listOf(first["required"]), ...listOf(second["required"])];
  return { ...first, ...second, properties, required };
}

/** Only a place in the same document: `#`, `#/…`, or the name of a definition. */
function lookUp(reference: string, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) {
    const name = reference.replace(/^#/, "");
    return memberOf(root["$defs"], name) ?? memberOf(root["definitions"], name);
  }
  let value: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    value = memberOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return value;
}

/** An own property, never an inherited one. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}
