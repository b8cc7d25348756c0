import type { Decision, DecisionSchemas, RuleContext } from "./decision.js";
import type { InferEmitted, InferOutput } from "./schema.js";

/**
 * One rule. All of its functions are pure and synchronous.
 *
 * @typeParam Used - ids of the decisions that the rule may evaluate: those in `uses` of the definition
 */
export interface Rule<Input, Output, Profile, Used extends string = never> {
  /** Unique in its decision; reported as `meta.matchedRule`. */
  readonly id: string;
  /** What the rule is for, in a sentence: pages show it before anything has been evaluated. */
  readonly description?: string | undefined;
  /** Whether the rule applies. Anything but a boolean is an error. */
  readonly when: (input: Input, profile: Profile, context: RuleContext<Used>) => boolean;
  /** The decision's output when this rule is the first to match. */
  readonly emit: (input: Input, profile: Profile, context: RuleContext<Used>) => Output;
  /**
   * Why the rule matched, for the caller to read.
   * @default `Rule "<id>" matched`
   */
  readonly explain?:
    | string
    | ((input: Input, profile: Profile, context: RuleContext<Used>) => string)
    | undefined;
}

/**
 * The type of a rule over given schemas, for rules in files of their own and for generated ones.
 *
 * @example
 * ```ts
 * const parts = { inputSchema, outputSchema, profileSchema, uses: [creditScore] } as const;
 * const rules: readonly RuleOf<typeof parts>[] = bands.map(({ id, upTo }) => ({ id, when: (input) => input.amount <= upTo, emit }));
 * defineDecision({ id: "loan", version: "1.0.0", ...parts, rules });
 * ```
 */
export type RuleOf<Parts extends DecisionSchemas & { readonly uses?: readonly Decision[] | undefined }> =
  Rule<
    InferOutput<Parts["inputSchema"]>,
    InferEmitted<Parts["outputSchema"]>,
    InferOutput<Parts["profileSchema"]>,
    Parts extends { readonly uses: readonly Decision<unknown, unknown, unknown, infer Used>[] } ? Used : never
  >;
