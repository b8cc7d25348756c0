import {
  DecernError,
  type Decision,
  type InputOf,
  type JsonSchema,
  type Problem,
  type ResultStatus,
  withProfile,
} from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { createGeneration, program, usedBy } from "@decern/core/tools";
import { checkExploreOptions, type ExploreOptions } from "./exploration.js";
import { Sampler } from "./search/candidates.js";
import { SchemaReader } from "./search/schema-reader.js";
import { Random, safeJsonSchema, type Vocabulary, vocabularyOf } from "./values/vocabulary.js";

/** A worked example of a decision, as `meta.examples` lists them. */
export interface DecisionExample<Input = unknown> {
  readonly name: string;
  readonly input: Input;
  /** @default the decision's own */
  readonly profile?: unknown;
  readonly expect: {
    readonly status: ResultStatus;
    readonly matchedRule?: string;
    readonly data?: unknown;
  };
}

/**
 * The worked examples of a decision, for `test.each`.
 *
 * @returns those of `meta.examples`; none where a decision has none
 * @throws DecernError `INVALID_DECISION` if `meta.examples` is not a list of examples
 *
 * @example
 * ```ts
 * test.each(examples(loanApproval))("$name", ({ input, expect: { status } }) => {
 *   expect(evaluate(loanApproval, input).status).toBe(status);
 * });
 * ```
 */
export function examples<D extends Decision>(decision: D): readonly DecisionExample<InputOf<D>>[] {
  const listed: unknown = decision.meta?.["examples"];
  if (listed === undefined) return [];
  const problems = problemsOf(listed, decision);
  if (problems.length > 0)
    throw new DecernError("INVALID_DECISION", { detail: `examples of "${decision.id}"`, problems });
  // A list without problems has this form. Whether its inputs are valid, only evaluating them tells.
  return listed as readonly DecisionExample<InputOf<D>>[];
}

const statuses: ReadonlySet<unknown> = new Set<ResultStatus>([
  "OK",
  "NO_MATCH",
  "INVALID_INPUT",
  "INVALID_PROFILE",
]);

function problemsOf(listed: unknown, { ruleIds }: Decision): readonly Problem[] {
  if (!Array.isArray(listed)) return [{ path: "/meta/examples", message: "must be a list" }];
  return listed.flatMap((example: unknown, index) => {
    const path = `/meta/examples/${index}`;
    if (!isJsonObject(example)) return [{ path, message: "must be an object" }];
    const { name, expect } = example;
    const problems: Problem[] = [];
    if (typeof name !== "string" || name === "")
      problems.push({ path: `${path}/name`, message: "must be a non-empty string" });
    if (!("input" in example)) problems.push({ path: `${path}/input`, message: "is required" });
    if (!isJsonObject(expect)) return [...problems, { path: `${path}/expect`, message: "must be an object" }];
    const { status, matchedRule } = expect;
    if (!statuses.has(status))
      problems.push({
        path: `${path}/expect/status`,
        message: `must be one of ${[...statuses].join(", ")}`,
      });
    if (matchedRule !== undefined && !ruleIds.some((id) => id === matchedRule))
      problems.push({
        path: `${path}/expect/matchedRule`,
        message: `must be a rule of the decision: ${ruleIds.join(", ")}`,
      });
    return problems;
  });
}

/** Inputs that a decision's logic, such as a table, has for tests; none for a decision of rules. */
export function witnessesOf(decision: Decision, now: Date): Iterable<unknown> {
  return decision[program].boundLogic?.()?.witnesses?.(now) ?? [];
}

/** As many of them as that, or all. */
export function* first<Item>(items: Iterable<Item>, most: number): Generator<Item> {
  let count = 0;
  for (const item of items) {
    count += 1;
    if (count > most) return;
    yield item;
  }
}

/** A decision with its profile, and those of the decisions that it uses. */
interface BoundDecision {
  readonly decision: Decision;
  /** For the decisions that it uses. */
  readonly profiles: { profileOf(decision: Decision): unknown };
  /** The profile that one of them is evaluated with. */
  profileOf(decision: Decision): unknown;
}

/**
 * Gives a decision the profile of `options`.
 *
 * @throws DecernError `INVALID_OPTIONS` when a profile breaks its schema
 */
export function bindDecision(
  decision: Decision,
  { profile, profiles = {} }: Pick<ExploreOptions, "profile" | "profiles">,
): BoundDecision {
  const keys = new Set(
    [decision, ...usedBy([decision])].flatMap(({ id, version }) => [id, `${id}@${version}`] as const),
  );
  // A host's profiles are those of all of its decisions.
  const own = Object.fromEntries(Object.entries<unknown>(profiles).filter(([key]) => keys.has(key)));
  const catalogue = createGeneration([decision], own);
  const lookup = { profileOf: (one: Decision): unknown => catalogue.profiles?.profileOf(one) };
  const bound = profile === undefined ? catalogue.bind(decision) : withProfile(decision, profile);
  return {
    decision: bound,
    profiles: lookup,
    profileOf: (one) =>
      one === bound || one === decision
        ? bound[program].boundProfile
        : (lookup.profileOf(one) ?? one[program].boundProfile),
  };
}

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
