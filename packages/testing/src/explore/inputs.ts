import type { Decision, InputOf, JsonSchema } from "@decern/core";
import { bindDecision, examples } from "./examples.js";
import { checkExploreOptions, type ExploreOptions } from "./exploration.js";
import { Sampler } from "./search/candidates.js";
import { SchemaReader } from "./search/schema-reader.js";
import { Random, safeJsonSchema, type Vocabulary, vocabularyOf } from "./values/vocabulary.js";

/** What makes values for a decision's input schema. */
interface Sampling {
  readonly settings: ReturnType<typeof checkExploreOptions>;
  readonly bound: ReturnType<typeof bindDecision>;
  readonly now: Date;
  /** Inputs of examples. */
  readonly given: readonly unknown[];
  readonly schema: JsonSchema;
  readonly vocabulary: Vocabulary;
  readonly reader: SchemaReader;
  readonly random: Random;
  readonly sampler: Sampler;
}

/** @throws DecernError as `explore` does */
export function samplingOf(decision: Decision, options: ExploreOptions): Sampling {
  const settings = checkExploreOptions(options);
  const { seed, sources, now = new Date("2026-01-01T00:00:00Z") } = settings;
  const given = settings.examples ?? examples(decision).map(({ input }) => input);
  const bound = bindDecision(decision, options);
  const random = new Random(seed);
  const schema = safeJsonSchema(decision);
  const vocabulary = vocabularyOf(bound.decision, bound.profileOf, { inputs: given, sources, now });
  const reader = new SchemaReader(schema);
  const sampler = new Sampler(reader, vocabulary, random);
  return { settings, bound, now, given, schema, vocabulary, reader, random, sampler };
}

/**
 * Valid inputs of a decision, for tests of a property that holds for all of them: its examples, then values made from the input
 * schema and from what rules, profiles and schemas name. The same seed gives the same inputs.
 *
 * @param options - `runs` is how many values are tried; those that the input schema rejects are left out
 * @throws DecernError `INVALID_OPTIONS` for an option that does not exist, and for a profile that breaks its schema
 * @throws DecernError `INVALID_DECISION` if `meta.examples` is not a list of examples
 *
 * @example
 * ```ts
 * for (const input of inputs(loanApproval, { profiles, runs: 1000 })) {
 *   expect(rateOf(input)).toBeLessThan(10);
 * }
 * ```
 */
export function* inputs<D extends Decision>(
  decision: D,
  options: ExploreOptions = {},
): Generator<InputOf<D>, void, undefined> {
  const { settings, given, schema, sampler } = samplingOf(decision, options);
  const { validate } = decision.inputSchema["~standard"];
  for (let run = 0; run < settings.runs; run += 1) {
    const value = run < given.length ? given[run] : sampler.value(schema, "random");
    const validated = validate(value);
    // Valid by its schema, so it has the type that the schema says.
    if (!("then" in validated) && validated.issues === undefined) yield value as InputOf<D>;
  }
}
