import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { Random } from "../random.js";
import { absent } from "../values/json-path.js";
import { NumberValues } from "../values/number-values.js";
import { TextValues } from "../values/text-values.js";
import type { Vocabulary } from "../values/vocabulary.js";
import { isOfType, type SchemaReader } from "./alternatives.js";
import { itemSchema } from "./places.js";

/** How much of what a schema leaves open is filled in. */
export type Fullness = "plain" | "full" | "random";

const deepest = 7;

/** Makes values for JSON Schemas. They are suggestions: whether one is valid, only validation tells. */
export class Sampler {
  readonly #reader: SchemaReader;
  readonly #vocabulary: Vocabulary;
  readonly #random: Random;
  readonly #numbers = new Map<JsonSchema, NumberValues>();
  readonly #texts = new Map<JsonSchema, TextValues>();

  constructor(reader: SchemaReader, vocabulary: Vocabulary, random: Random) {
    this.#reader = reader;
    this.#vocabulary = vocabulary;
    this.#random = random;
  }

  numbersOf(schema: JsonSchema): NumberValues {
    return known(this.#numbers, schema, () => new NumberValues(schema, this.#vocabulary));
  }

  textsOf(schema: JsonSchema): TextValues {
    return known(this.#texts, schema, () => new TextValues(schema, this.#vocabulary, this.#random));
  }

  value(schema: unknown, fullness: Fullness, depth = 0): unknown {
    const all = this.#reader.alternatives(schema);
    const chosen = fullness === "random" ? this.#random.pick(all) : (all.find(isSomething) ?? all[0]);
    return this.valueOf(chosen ?? {}, fullness, depth);
  }

  /** The value of one alternative. */
  valueOf(schema: JsonSchema, fullness: Fullness, depth = 0): unknown {
    const { enum: listed, examples, default: standard } = schema;
    if ("const" in schema) return schema["const"];
    if (Array.isArray(listed) && listed.length > 0)
      return fullness === "random" ? this.#random.pick<unknown>(listed) : listed[0];
    const named: readonly unknown[] = [
      ...(Array.isArray(examples) ? examples : []),
      ...(standard === undefined ? [] : [standard]),
    ];
    if (named.length > 0 && (fullness !== "random" || this.#random.chance(0.1))) return named[0];
    return this.#made(schema, fullness, depth);
  }

  #made(schema: JsonSchema, fullness: Fullness, depth: number): unknown {
    const type = schema["type"] ?? impliedType(schema);
    if (type === "object") return this.#object(schema, fullness, depth);
    if (type === "array") return this.#list(schema, fullness, depth);
    if (type === "string") {
      const texts = this.textsOf(schema);
      return fullness === "random" ? texts.random(undefined, this.#vocabulary.texts) : texts.plain;
    }
    if (type === "number" || type === "integer") {
      const numbers = this.numbersOf(schema);
      const around = numbers.around([1]);
      return fullness === "random"
        ? numbers.random(this.#random, this.#vocabulary.numbers)
        : (around.find((number) => number > 0) ?? around[0] ?? 0);
    }
    if (type === "boolean") return fullness === "random" && this.#random.chance(0.5);
    if (type === "null") return null;
    return this.#random.pick([null, true, 0, 1, "", "x", ...this.#vocabulary.texts.slice(0, 20)]);
  }

  #object(schema: JsonSchema, fullness: Fullness, depth: number): unknown {
    const { properties, required, additionalProperties, minProperties } = schema;
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const members: [string, unknown][] = [];
    for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const isWanted = fullness === "full" || (fullness === "random" && this.#random.chance(0.5));
      if (!needed.includes(name) && (!isWanted || depth > deepest)) continue;
      const value = this.value(property, fullness, depth + 1);
      if (value !== absent) members.push([name, value]);
    }
    const isRecord = isJsonObject(additionalProperties) && depth <= deepest;
    const count = Math.max(
      typeof minProperties === "number" ? minProperties - members.length : 0,
      fullness === "plain" ? 0 : 1,
    );
    for (let index = 0; isRecord && index < Math.min(count, 20); index += 1) {
      const name = this.#random.pick(this.#vocabulary.texts) ?? `key${index}`;
      members.push([name, this.value(additionalProperties, fullness, depth + 1)]);
    }
    return Object.fromEntries(members);
  }

  #list(schema: JsonSchema, fullness: Fullness, depth: number): unknown {
    const { minItems, maxItems, prefixItems, items } = schema;
    const tuple: unknown = Array.isArray(prefixItems) ? prefixItems : items;
    const least = Array.isArray(tuple) ? tuple.length : typeof minItems === "number" ? minItems : 0;
    const greatest = typeof maxItems === "number" ? maxItems : least + 4;
    const wanted =
      fullness === "full"
        ? Math.max(1, least)
        : least + this.#random.below(Math.min(greatest - least, 4) + 1);
    const length = fullness === "plain" || depth > deepest ? least : Math.min(wanted, greatest);
    return Array.from({ length }, (_none, index) =>
      this.value(itemSchema(schema, index), fullness, depth + 1),
    );
  }
}

function isSomething({ type }: JsonSchema): boolean {
  return type !== "null";
}

function impliedType(schema: JsonSchema): string | undefined {
  if ("properties" in schema) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  if ("minimum" in schema || "maximum" in schema) return "number";
  return "pattern" in schema || "minLength" in schema ? "string" : undefined;
}

/** The type of an alternative, as far as it says, else that of the value that stands there. */
export function typeOf(schema: JsonSchema, value: unknown): unknown {
  const type = schema["type"] ?? impliedType(schema);
  if (type !== undefined) return type;
  return ["array", "object", "boolean", "null", "number", "string"].find((one) => isOfType(value, one));
}

function known<Value>(cache: Map<JsonSchema, Value>, schema: JsonSchema, make: () => Value): Value {
  const found = cache.get(schema);
  if (found !== undefined) return found;
  const made = make();
  cache.set(schema, made);
  return made;
}
