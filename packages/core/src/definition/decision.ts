import type { Program } from "../program/program.js";
import type { JsonSchema } from "../schema/json-schema.js";
import type { InferEmitted, InferOutput, Schema } from "../schema/standard-schema.js";
import type { ProfileInput } from "./given.js";
import type { RuleContext } from "./rule-context.js";

/** One rule. All of its functions are pure and synchronous. */
export interface Rule<Input, Output, Profile> {
  /** Unique in its decision; reported as `meta.matchedRule`. */
  readonly id: string;
  /** Whether the rule applies. Anything but a boolean is a fault. */
  readonly when: (input: Input, profile: Profile, context: RuleContext) => boolean;
  /** The decision's output when this rule is the first to match. */
  readonly emit: (input: Input, profile: Profile, context: RuleContext) => Output;
  /**
   * Why the rule matched, for the caller to read.
   * @default `Rule "<id>" matched`
   */
  readonly explain?: string | ((input: Input, profile: Profile, context: RuleContext) => string) | undefined;
}

/** The three schemas of a decision, as a decision itself and an object to spread into a definition have them. */
export interface DecisionSchemas {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly profileSchema: Schema;
}

/**
 * The type of a rule over given schemas, for rules in files of their own and for generated ones.
 *
 * @example
 * ```ts
 * const schemas = { inputSchema, outputSchema, profileSchema };
 * const rules: readonly RuleOf<typeof schemas>[] = bands.map(({ id, upTo }) => ({ id, when: (input) => input.amount <= upTo, emit }));
 * defineDecision({ id: "loan", version: "1.0.0", ...schemas, rules });
 * ```
 */
export type RuleOf<Schemas extends DecisionSchemas> = Rule<
  InferOutput<Schemas["inputSchema"]>,
  InferEmitted<Schemas["outputSchema"]>,
  InferOutput<Schemas["profileSchema"]>
>;

/** The key under which `defineDecision` seals what evaluates a decision. The same across copies of this package. */
export const program: unique symbol = Symbol.for("decern.program");

/**
 * A decision, made by `defineDecision` and by nothing else. Its type parameters occur covariantly only, so that every
 * decision is a `Decision`, and a list of different ones needs no cast.
 *
 * @typeParam Input - what a caller sends
 * @typeParam Output - `data` of the result
 * @typeParam Profile - what a host or caller gives as profile
 */
export interface Decision<Input = unknown, Output = unknown, Profile = unknown, Id extends string = string> {
  readonly id: Id;
  readonly version: string;
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly inputSchema: Schema<Input, unknown>;
  readonly outputSchema: Schema<unknown, Output>;
  readonly profileSchema: Schema<Profile, unknown>;
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly string[];
  readonly [program]: Program<Output>;
}

/** What a decision takes as input. */
export type InputOf<D extends Decision> = D extends Decision<infer Input> ? Input : never;

/** What a decision returns as `data`. */
export type OutputOf<D extends Decision> = D extends Decision<unknown, infer Output> ? Output : never;

/** What the profile of a decision looks like. */
export type ProfileOf<D extends Decision> =
  D extends Decision<unknown, unknown, infer Profile> ? Profile : never;

/** Default profiles by decision id, each typed by its decision. */
export type ProfilesOf<Decisions extends readonly Decision[]> = {
  readonly [D in Decisions[number] as D["id"]]?: ProfileInput<ProfileOf<D>> | undefined;
};

/** A decision as a listing shows it. */
export interface DecisionInfo {
  readonly id: string;
  readonly version: string;
  readonly description?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A decision's schemas as JSON Schema. */
export interface DecisionSchema {
  readonly id: string;
  readonly version: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly profileSchema: JsonSchema;
}
