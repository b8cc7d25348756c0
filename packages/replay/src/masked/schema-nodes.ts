import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";

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
      const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
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
