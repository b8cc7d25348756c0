import type { Decision } from "@decern/core";
import { type JsonSchema, toJsonSchema } from "@decern/core";
import { isJsonObject, listOf, memberOf, schemaNodes } from "@decern/core/schema";

/** What a JSON Schema says about one member of an input. */
export class MemberSchema {
  readonly #root: JsonSchema;
  /** The alternatives. None where nothing is known. */
  readonly #nodes: readonly JsonSchema[];
  readonly isRequired: boolean;

  private constructor(root: JsonSchema, nodes: readonly JsonSchema[], isRequired: boolean) {
    this.#root = root;
    this.#nodes = nodes;
    this.isRequired = isRequired;
  }

  static ofInput(decision: Decision): MemberSchema {
    const schema = toJsonSchema(decision.inputSchema);
    return new MemberSchema(schema, schemaNodes(schema, schema), true);
  }

  /** @returns `undefined` where the schema lists its members, and this one is not among them */
  member(name: string): MemberSchema | undefined {
    const schemas = this.#nodes.flatMap((node) => {
      const listed = memberOf(node["properties"], name);
      return listed === undefined ? node["additionalProperties"] : [listed];
    });
    const nodes = schemas.flatMap((schema) => schemaNodes(schema, this.#root));
    if (nodes.length === 0 && this.#isClosed()) return undefined;
    return new MemberSchema(
      this.#root,
      nodes,
      this.#nodes.some((node) => listOf(node["required"]).includes(name)),
    );
  }

  /** Names of the members that are listed. */
  get names(): readonly string[] {
    const names = this.#nodes.flatMap(({ properties }) =>
      isJsonObject(properties) ? Object.keys(properties) : [],
    );
    return [...new Set(names)];
  }

  /** The JSON types that a value may have, `integer` among them. `undefined` where any may be. */
  get types(): ReadonlySet<string> | undefined {
    const types = new Set<string>();
    for (const node of this.#nodes) {
      const listed = typesOf(node);
      if (listed.length === 0) return undefined;
      for (const type of listed) types.add(type);
    }
    return types.size === 0 ? undefined : types;
  }

  /** Whether every alternative lists its members and allows no others. */
  #isClosed(): boolean {
    return (
      this.#nodes.length > 0 &&
      this.#nodes.every(
        ({ properties, additionalProperties, patternProperties }) =>
          isJsonObject(properties) &&
          Object.keys(properties).length > 0 &&
          (additionalProperties === undefined || additionalProperties === false) &&
          patternProperties === undefined,
      )
    );
  }
}

function typesOf(node: JsonSchema): readonly string[] {
  const { type } = node;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === "string");
  const values = "const" in node ? [node["const"]] : listOf(node["enum"]);
  return values.map((value) => {
    if (value === null) return "null";
    return Array.isArray(value) ? "array" : typeof value;
  });
}
