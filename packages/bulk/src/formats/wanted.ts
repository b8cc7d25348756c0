import type { JsonSchema } from "@decern/core";
import { isJsonObject, schemaNodes } from "@decern/core/schema";

const typeNames = ["string", "number", "boolean", "null", "array", "object"] as const;

/** A type of JSON; an integer is a number. */
type JsonType = (typeof typeNames)[number];

/** What a decision's schema says about a place in its input. */
export class Wanted {
  readonly #nodes: readonly JsonSchema[];
  readonly #root: JsonSchema;
  readonly #types: ReadonlySet<JsonType>;
  /** Whether the schema requires a value here. */
  readonly isRequired: boolean;

  private constructor(nodes: readonly JsonSchema[], root: JsonSchema, isRequired: boolean) {
    this.#nodes = nodes;
    this.#root = root;
    // A place that the schema does not describe takes text.
    this.#types = new Set(nodes.length === 0 ? ["string"] : nodes.flatMap(typesOf));
    this.isRequired = isRequired;
  }

  /** @param schema - of a whole input */
  static ofInput(schema: JsonSchema): Wanted {
    return new Wanted(schemaNodes(schema, schema), schema, true);
  }

  takes(type: JsonType): boolean {
    return this.#types.has(type);
  }

  get isKnown(): boolean {
    return this.#nodes.length > 0;
  }

  /** `null` if the schema requires a value and allows `null`; otherwise `undefined`. */
  get forNothing(): null | undefined {
    return this.isRequired && this.takes("null") ? null : undefined;
  }

  /** Listed values that are not text. */
  get literals(): readonly unknown[] {
    return this.#nodes.flatMap(literalsOf).filter((value) => typeof value !== "string");
  }

  names(member: string): boolean {
    return this.#nodes.some(
      (node) => isJsonObject(node["properties"]) && Object.hasOwn(node["properties"], member),
    );
  }

  at(member: string): Wanted {
    const below = this.#nodes.flatMap((node) => memberSchemas(node, member));
    const nodes = below.flatMap((schema) => schemaNodes(schema, this.#root));
    return new Wanted(
      nodes,
      this.#root,
      this.#nodes.length > 0 && this.#nodes.every((node) => requires(node, member)),
    );
  }

  get items(): Wanted {
    const below = this.#nodes.map(({ items }) => items).filter(isJsonObject);
    return new Wanted(
      below.flatMap((schema) => schemaNodes(schema, this.#root)),
      this.#root,
      false,
    );
  }
}

function typesOf(node: JsonSchema): readonly JsonType[] {
  const { type } = node;
  if (type !== undefined) {
    const names: readonly unknown[] = Array.isArray(type) ? type : [type];
    return typeNames.filter(
      (name) => names.includes(name) || (name === "number" && names.includes("integer")),
    );
  }
  const literals = literalsOf(node);
  return literals.length === 0 ? typeNames : literals.map(typeOf);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const name = typeNames.find((each) => each === typeof value);
  return name ?? "object";
}

function literalsOf(node: JsonSchema): readonly unknown[] {
  if ("const" in node) return [node["const"]];
  return Array.isArray(node["enum"]) ? node["enum"] : [];
}

function memberSchemas(node: JsonSchema, member: string): readonly JsonSchema[] {
  const { properties, additionalProperties } = node;
  const own =
    isJsonObject(properties) && Object.hasOwn(properties, member) ? properties[member] : additionalProperties;
  return isJsonObject(own) ? [own] : [];
}

function requires({ required }: JsonSchema, member: string): boolean {
  return Array.isArray(required) && required.includes(member);
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Whole numbers with this many digits are exact. */
const exactDigits = 15;

type ValueFromText = (text: string) => unknown;

/**
 * Chooses how texts are read at a place of the input: as a listed value, else as text where the schema takes text, else as a number,
 * boolean, `null`, list or object where it takes them. A text that is none of these stays text, so that the schema's message names it.
 */
export function valueFromText(wanted: Wanted): ValueFromText {
  const literals = new Set(wanted.literals.map((value) => JSON.stringify(value)));
  const takesText = wanted.takes("string");
  if (takesText && literals.size === 0) return (text) => text;
  const [takesNumber, takesBoolean, takesNull, takesList, takesObject] = [
    wanted.takes("number"),
    wanted.takes("boolean"),
    wanted.takes("null"),
    wanted.takes("array"),
    wanted.takes("object"),
  ];
  return (text) => {
    if (literals.has(text)) return JSON.parse(text);
    if (takesText) return text;
    if (takesNumber && isExactNumber(text)) return Number(text);
    // Spreadsheets write TRUE, and pandas True.
    if (takesBoolean && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
    if (takesNull && text === "null") return null;
    if ((takesList && opensWith(text, "[")) || (takesObject && opensWith(text, "{"))) return parsed(text);
    return text;
  };
}

/** Whether JavaScript can represent a number. Whole numbers that would be rounded don't count: they may be account numbers. */
export function isExactNumber(text: string): boolean {
  if (!numberPattern.test(text)) return false;
  if (text.length <= exactDigits) return !/e/i.test(text) || Number.isFinite(Number(text));
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const [, whole] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return whole === undefined || BigInt(whole) === BigInt(number);
}

function opensWith(text: string, opening: "[" | "{"): boolean {
  return text.trimStart().startsWith(opening);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
