import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameJson } from "@decern/core/tools";
import { absent } from "../values/json.js";
import { NumberValues } from "../values/number-values.js";
import { TextValues } from "../values/text-values.js";
import type { Random, Vocabulary } from "../values/vocabulary.js";
import { isOfType, itemSchema, type Place, type SchemaReader } from "./schema-reader.js";

/** How much of what a schema leaves open is filled in. */
type Fullness = "plain" | "full" | "random";

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
  if (Object.keys(schema["properties"] ?? {}).length > 0) return "object";
  if ("items" in schema || "prefixItems" in schema) return "array";
  if ("minimum" in schema || "maximum" in schema) return "number";
  return "pattern" in schema || "minLength" in schema ? "string" : undefined;
}

/** The type of an alternative, as far as it says, else that of the value that stands there. */
function typeOf(schema: JsonSchema, value: unknown): unknown {
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

/** The other values of an input: rules compare values with each other. */
interface Neighbours {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}

/** The numbers and texts that stand in places. */
export function neighboursOf(places: readonly Place[]): Neighbours {
  const values = places.map(({ value }) => value);
  return {
    numbers: [...new Set(values.filter((value) => typeof value === "number"))].slice(0, 12),
    texts: [...new Set(values.filter((value) => typeof value === "string"))].slice(0, 12),
  };
}

const longestList = 40;

/** Suggests what could stand in a place. */
export class Candidates {
  readonly #reader: SchemaReader;
  readonly #sampler: Sampler;
  readonly #vocabulary: Vocabulary;
  readonly #random: Random;

  constructor(reader: SchemaReader, sampler: Sampler, vocabulary: Vocabulary, random: Random) {
    this.#reader = reader;
    this.#sampler = sampler;
    this.#vocabulary = vocabulary;
    this.#random = random;
  }

  /** Everything worth trying. Numbers come in ascending order. */
  all(place: Place, neighbours: Neighbours): readonly unknown[] {
    const { schema, value, isOptional } = place;
    const found: unknown[] = isOptional ? [absent] : [];
    for (const alternative of this.#reader.alternatives(schema)) {
      const { enum: listed } = alternative;
      const type = typeOf(alternative, value);
      if ("const" in alternative) found.push(alternative["const"]);
      else if (Array.isArray(listed)) found.push(...listed.slice(0, 60));
      else if (type === "boolean") found.push(true, false);
      else if (type === "number" || type === "integer")
        found.push(...this.#sampler.numbersOf(alternative).around(neighbours.numbers));
      else if (type === "string")
        found.push(...this.#sampler.textsOf(alternative).around(value, neighbours.texts));
      else if (type === "array" && Array.isArray(value)) found.push(...this.#lists(alternative, value));
      else found.push(...this.#made(alternative, value));
    }
    return found.filter((one) => !isSameJson(one, value));
  }

  /** One of them, or another that chance makes. */
  random(place: Place, neighbours: Neighbours): unknown {
    const { schema, value, isOptional } = place;
    const random = this.#random;
    if (isOptional && random.chance(0.2)) return absent;
    const chosen = random.pick(this.#reader.alternatives(schema)) ?? {};
    const type = typeOf(chosen, value);
    const isListed = "const" in chosen || "enum" in chosen;
    if (!isListed && (type === "number" || type === "integer"))
      return this.#sampler.numbersOf(chosen).random(random, neighbours.numbers);
    if (!isListed && type === "string") return this.#sampler.textsOf(chosen).random(value, neighbours.texts);
    if (!isListed && type === "array" && Array.isArray(value) && random.chance(0.7))
      return random.pick(this.#lists(chosen, value)) ?? value;
    return this.#sampler.valueOf(chosen, "random");
  }

  #made(alternative: Readonly<Record<string, unknown>>, value: unknown): readonly unknown[] {
    const made = (["plain", "full", "random", "random"] as const).map((fullness) =>
      this.#sampler.valueOf(alternative, fullness),
    );
    const { additionalProperties, properties } = alternative;
    if (!isJsonObject(value) || !isJsonObject(additionalProperties)) return made;
    const declared = isJsonObject(properties) ? properties : {};
    const keyed = this.#vocabulary.texts
      .filter((name) => !Object.hasOwn(declared, name))
      .slice(0, 20)
      .map((name) => ({ ...value, [name]: this.#sampler.value(additionalProperties, "random") }));
    return [...made, ...keyed];
  }

  #lists(alternative: Readonly<Record<string, unknown>>, value: readonly unknown[]): readonly unknown[][] {
    const { items, minItems, maxItems } = alternative;
    const item = (): unknown => this.#sampler.value(items, "random");
    const plain = this.#sampler.value(items, "plain");
    const lists: unknown[][] = [[], [plain], [...value, plain], [...value, item()], [item(), item()]];
    lists.push(value.slice(1), value.slice(0, -1), [...value, ...value.slice(0, 1)], value.toReversed());
    const lengths = [minItems, maxItems, ...this.#vocabulary.numbers].flatMap((length) =>
      typeof length === "number" && Number.isInteger(length) ? [length - 1, length, length + 1] : [],
    );
    for (const length of new Set(lengths))
      if (length > 0 && length <= longestList)
        lists.push(Array.from({ length }, (_none, index) => value[index] ?? value[0] ?? plain));
    const isText = this.#reader.alternatives(items).some(({ type }) => type === "string");
    if (isText) for (const text of this.#vocabulary.texts.slice(0, 60)) lists.push([text], [...value, text]);
    return lists;
  }
}
