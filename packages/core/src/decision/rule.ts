import { DecernError } from "../base/errors.js";
import { readable } from "../base/faults.js";
import { ignoreRejection, isThenable } from "../base/time.js";
import {
  type Decision,
  type DecisionSchemas,
  type EvaluationScope,
  program,
  type RuleContext,
} from "./decision.js";
import { EnvelopeText } from "./envelope-text.js";
import { toValidationIssues } from "./issues.js";
import type { InferEmitted, InferOutput, Schema, SchemaIssue } from "./ports.js";
import type { EvaluatedRule, NoMatchResult, ProbedRule } from "./result.js";
import { Refusals, validated } from "./validation.js";

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

/** The user code that an evaluation is running. */
export type Step = "inputSchema" | "profileSchema" | "when" | "emit" | "outputSchema" | "explain" | "logic";

/** A value that a rule's function must not return, thrown to where errors are made. */
export class WrongReturn {
  readonly message: string;
  readonly returned: unknown;

  constructor(message: string, returned: unknown) {
    this.message = message;
    this.returned = returned;
  }
}

/** Makes the errors of what is wrong with a decision itself. */
export class DecisionFaults {
  readonly #decisionId: string;

  constructor(decisionId: string) {
    this.#decisionId = decisionId;
  }

  invalidOutput(ruleId: string, issues: readonly SchemaIssue[], emitted: unknown): DecernError {
    const problems = toValidationIssues(issues, emitted);
    return this.#fault(`the output of rule "${ruleId}" breaks its schema`, undefined, problems);
  }

  withoutJsonForm(ruleId: string, data: unknown): DecernError {
    return this.#fault(`the output of rule "${ruleId}" is ${describe(data)}, which JSON leaves out`);
  }

  /** @param ruleId - the rule that was being evaluated */
  thrownIn(step: Step, ruleId: string | undefined, anything: unknown): DecernError {
    const thrown = readable(anything);
    if (step === "inputSchema" || step === "profileSchema" || step === "outputSchema") {
      return isOwnFault(thrown) ? thrown : this.#fault(`${step} threw`, thrown);
    }
    if (step === "logic") {
      if (isOwnFault(thrown)) return thrown;
      if (!(thrown instanceof WrongReturn)) return this.#fault("its logic threw", thrown);
      ignoreRejection(thrown.returned);
      return this.#fault(`its logic returned ${thrown.message}`);
    }
    if (!(thrown instanceof WrongReturn)) {
      // The host owns the profiles of the decisions that rules evaluate.
      if (thrown instanceof DecernError && thrown.code === "INVALID_HOST_PROFILE") return thrown;
      // A decision that the rule evaluated failed, or is not in `uses`: the message says what to do.
      const said = thrown instanceof DecernError ? `: ${thrown.message}` : "";
      return this.#fault(`"${step}" of rule "${ruleId}" threw${said}`, thrown);
    }
    ignoreRejection(thrown.returned);
    return this.#fault(`"${step}" of rule "${ruleId}" returned ${thrown.message}`);
  }

  #fault(detail: string, thrown?: unknown, problems: DecernError["problems"] = []): DecernError {
    const cause = readable(thrown);
    return new DecernError("EVALUATION_FAILED", {
      detail: `decision "${this.#decisionId}": ${detail}`,
      problems,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/** Names a value for a message, without showing it. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  return isThenable(value) ? "a promise" : `a value of type ${typeof value}`;
}

/** A schema that returned a promise, or an output that breaks its schema. Whatever else a schema throws is a cause. */
function isOwnFault(thrown: unknown): thrown is DecernError {
  return thrown instanceof DecernError && thrown.code === "EVALUATION_FAILED";
}

/** What every program needs of its definition. */
export interface ProgramSource<Input, Output, Profile> {
  readonly id: string;
  readonly version: string;
  readonly inputSchema: Schema<unknown, Input>;
  readonly outputSchema: Schema<unknown, Output>;
  readonly profileSchema: Schema<unknown, Profile>;
  readonly uses: readonly Decision[];
}

/** What programs of one definition have in common, whatever their profile. */
export interface SharedParts {
  /** The trace entries of rules that did not match are the same every time, so every result shares them. */
  readonly misses: readonly EvaluatedRule[];
  readonly levels: number;
  readonly text: EnvelopeText;
  readonly faults: DecisionFaults;
  readonly refusals: Refusals;
}

export function share(source: {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string }[];
  readonly uses: readonly Decision[];
}): SharedParts {
  const misses = source.rules.map(({ id }) => Object.freeze({ ruleId: id, matched: false }));
  // Each knows its own, so a decision that is reached in many ways is not counted many times.
  const levels = 1 + source.uses.reduce((most, used) => Math.max(most, used[program].levels), 0);
  return {
    misses,
    levels,
    text: new EnvelopeText(source.id, source.version, misses),
    faults: new DecisionFaults(source.id),
    refusals: new Refusals(source.id),
  };
}

/** The envelope of an input that no rule matches. */
export function noMatch(
  { id, version }: { readonly id: string; readonly version: string },
  evaluatedAt: string,
  evaluatedRules: readonly EvaluatedRule[],
): NoMatchResult {
  const message = "No rule matched";
  return {
    status: "NO_MATCH",
    message,
    meta: { decisionId: id, decisionVersion: version, explanation: message, evaluatedAt, evaluatedRules },
  };
}

/** What rules are tried with. */
interface Call<Input, Profile> {
  readonly input: Input;
  readonly profile: Profile;
  readonly scope: EvaluationScope;
}

/** Tries one rule. It never throws. */
export function probeRule<Input, Emitted, Output, Profile, Used extends string>(
  rule: Rule<Input, Emitted, Profile, Used>,
  outputSchema: Schema<unknown, Output>,
  faults: DecisionFaults,
  { input, profile, scope }: Call<Input, Profile>,
): ProbedRule {
  const ruleId = rule.id;
  let step: Step = "when";
  try {
    const matched: unknown = rule.when(input, profile, scope);
    if (matched === false) return { ruleId, outcome: "missed" };
    if (matched !== true) throw new WrongReturn(`${describe(matched)} instead of a boolean`, matched);
    step = "emit";
    const emitted = rule.emit(input, profile, scope);
    if (isThenable(emitted)) throw new WrongReturn("a promise", emitted);
    step = "outputSchema";
    const output = validated(outputSchema["~standard"], emitted);
    if (output.issues !== undefined) throw faults.invalidOutput(ruleId, output.issues, emitted);
    return { ruleId, outcome: "matched", data: output.value };
  } catch (thrown) {
    return { ruleId, outcome: "failed", error: faults.thrownIn(step, ruleId, thrown) };
  }
}
