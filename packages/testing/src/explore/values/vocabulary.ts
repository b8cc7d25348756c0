import { type Decision, type JsonSchema, toJsonSchema } from "@decern/core";
import { mapSubschemas } from "@decern/core/schema";
import { program } from "@decern/core/tools";
import { LiteralCollector } from "./literals.js";
import { decimalsOf } from "./ruler.js";

/** The values that a decision is likely to care about. */
export interface Vocabulary {
  /** In ascending order. */
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  /** Sources of regular expressions that rules test with. */
  readonly patterns: readonly string[];
  /** Decimals that tell the numbers apart. */
  readonly decimals: number;
  readonly now: Date;
}

interface VocabularySources {
  readonly inputs: readonly unknown[];
  readonly sources: readonly string[];
  readonly now: Date;
}

/**
 * Gathers what stands in the rules, profiles and schemas of a decision and of those that it uses.
 *
 * @param inputs - examples
 * @param sources - the text of the files that the rules stand in
 */
export function vocabularyOf(
  decision: Decision,
  profileOf: (decision: Decision) => unknown,
  { inputs, sources, now }: VocabularySources,
): Vocabulary {
  const literals = new LiteralCollector();
  const ruleTexts: string[] = [];
  const visit = (one: Decision): void => {
    literals.addData(profileOf(one));
    ruleTexts.push(...one[program].ruleTexts);
    // With those that a table takes from the profile.
    for (const { values } of one[program].boundLogic?.(profileOf(one))?.thresholds ?? [])
      literals.addData(values, 1);
    addSchema(literals, safeJsonSchema(one));
    for (const used of one.uses) visit(used);
  };
  visit(decision);
  for (const input of inputs) literals.addData(input);
  literals.addSources(ruleTexts, sources);
  const numbers = [...literals.numbers].sort((one, other) => one - other);
  return {
    numbers,
    texts: [...literals.texts],
    patterns: [...literals.patterns],
    decimals: Math.min(6, Math.max(2, ...numbers.map((number) => decimalsOf(number) + 1))),
    now,
  };
}

/** The JSON Schema of a decision's input; `{}` for a schema that has none. Then the examples are all there is. */
export function safeJsonSchema({ inputSchema }: Decision): JsonSchema {
  try {
    return toJsonSchema(inputSchema, "input");
  } catch {
    return {};
  }
}

/** Adds the values that a schema names: not its texts for readers. */
function addSchema(literals: LiteralCollector, schema: JsonSchema): void {
  for (const keyword of ["const", "default"]) literals.addData(schema[keyword], 2);
  for (const keyword of ["enum", "examples"]) literals.addData(schema[keyword], 3);
  mapSubschemas(schema, (subschema) => {
    addSchema(literals, subschema);
    return subschema;
  });
}

const words = 4_294_967_296;

/** A small generator of pseudo-random numbers (mulberry32). It computes with 32-bit integers: every machine gets the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.trunc(seed / words) ^ seed) | 0;
  }

  /** From 0 up to, but without, 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / words;
  }

  /** A whole number from 0 up to, but without, `limit`. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  /** @returns `undefined` for an empty list only */
  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.below(list.length)];
  }

  /** How often to repeat something: seldom much more often than it must be. */
  times(least: number, most: number): number {
    return least + this.below(Math.min(most - least, Number.isFinite(most) ? 8 : 3) + 1);
  }
}
