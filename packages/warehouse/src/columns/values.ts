import { DecernError, type Decision, type JsonSchema, toJsonSchema } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";
import { isJsonObject, listOf, memberOf, schemaNodes } from "@decern/core/schema";

/** How JSON, and so every engine, writes a number. */
const numeral = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A numeral of which no integer is the value. */
const withFraction = /^-?\d+\.\d*[1-9]\d*$/;

/** Turns a value as an engine sends it into the value that the schema asks for. What it cannot turn comes back unchanged. */
export type Convert = (value: unknown) => unknown;

const unchanged: Convert = (value) => value;

/** For a column that takes numbers of any kind: what the schema could refuse, it would not. */
const unrounded: Convert = (value) => {
  if (typeof value === "number" && !isExact(value))
    throw new DecernError("INVALID_ROW", {
      detail: "a number beyond 2^53 was rounded; cast it to a string in SQL",
    });
  return value;
};

/**
 * Makes the conversion for a column. SQL has more types than JSON, and engines write some of them as text. Nothing is guessed:
 * a value that does not fit is left to the schema, which refuses the row.
 *
 * @param types - what the schema allows; `undefined` for anything
 * @param roundsIntegers - whether numbers beyond 2^53 have been rounded
 */
export function conversionTo(types: ReadonlySet<string> | undefined, roundsIntegers: boolean): Convert {
  const asItIs = roundsIntegers ? unrounded : unchanged;
  if (types === undefined) return asItIs;
  const takesNumbers = types.has("number") || types.has("integer");
  const takesBooleans = types.has("boolean");
  const takesJson = types.has("array") || types.has("object");
  if (types.has("string")) return takesNumbers ? asItIs : (value) => asText(value);
  return (value) => {
    if (typeof value === "number")
      return types.has("number") && !roundsIntegers ? value : exactInteger(value);
    if (typeof value !== "string") return value;
    if (takesNumbers && numeral.test(value)) return asNumber(value);
    if (takesBooleans && (value === "true" || value === "false")) return value === "true";
    return takesJson ? asJson(value) : value;
  };
}

/** BigQuery sends an INT64 as a number while it is small, and Snowflake every NUMBER. */
function asText(value: unknown): unknown {
  return typeof value === "number" && isExact(value) ? String(value) : value;
}

function asNumber(text: string): unknown {
  const number = Number(text);
  // Another number would decide about somebody else's account.
  const hasLostFraction = Number.isInteger(number) && withFraction.test(text);
  return isExact(number) && !hasLostFraction ? number : text;
}

/** Parsing the body has rounded a large integer already. As text the schema refuses it. */
function exactInteger(value: number): unknown {
  return isExact(value) ? value : String(value);
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** @throws DecernError `FORBIDDEN_KEY` */
function asJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_JSON") return text;
    throw error;
  }
}

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
