import { isJsonObject } from "@decern/core/schema";
import type { Random } from "../random.js";
import { absent } from "../values/json-path.js";
import { sameJson } from "../values/same-json.js";
import type { Vocabulary } from "../values/vocabulary.js";
import type { SchemaReader } from "./alternatives.js";
import type { Place } from "./places.js";
import { type Sampler, typeOf } from "./sampler.js";

/** What else stands in an input: rules compare one value with another. */
export interface Neighbours {
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
    return found.filter((one) => !sameJson(one, value));
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
