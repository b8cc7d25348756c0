import { DecernError, type Problem } from "../base/errors.js";
import { toFault } from "../base/faults.js";
import { escapePointer, isJsonObject } from "../base/json.js";
import { isInstant, systemClock } from "../base/time.js";
import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "./decision.js";
import { checkDecision } from "./describe.js";
import type { InputFor, ProfileFor } from "./ports.js";
import type { Probed, Result } from "./result.js";
import { RuleScope } from "./scope.js";

/**
 * Checks the options of an evaluation in process.
 *
 * @param owner - whose options they are, for the message
 * @param others - names of options that somebody else checks
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
function checkEvaluateOptions(
  owner: string,
  options: unknown,
  others: readonly string[] = [],
): { readonly now: number; readonly requestId: string | undefined } {
  const problems: Problem[] = [];
  if (isJsonObject(options)) {
    const { now, requestId, ...rest } = options;
    const epochMs = now === undefined ? systemClock.now() : instantOf(now);
    const known = [...others, "now", "requestId"].join(", ");
    for (const name of Object.keys(rest)) {
      if (others.includes(name)) continue;
      problems.push({ path: `/${escapePointer(name)}`, message: `is unknown; valid names are ${known}` });
    }
    if (epochMs === undefined) problems.push({ path: "/now", message: "must be a valid Date" });
    const isText = requestId === undefined || typeof requestId === "string";
    if (!isText) problems.push({ path: "/requestId", message: "must be a string" });
    if (problems.length === 0 && epochMs !== undefined && isText) return { now: epochMs, requestId };
  } else {
    problems.push({ path: "", message: "options must be an object" });
  }
  throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
}

function instantOf(date: unknown): number | undefined {
  const epochMs = date instanceof Date ? date.getTime() : undefined;
  return isInstant(epochMs) ? epochMs : undefined;
}

/** The options of one evaluation. */
export interface EvaluateOptions {
  /** The instant of the evaluation. @default the machine's clock */
  readonly now?: Date | undefined;
  /** For rules that ask for it. @default a fresh UUID */
  readonly requestId?: string | undefined;
}

/**
 * Evaluates a decision, in process and synchronously.
 *
 * @param input - validated against the input schema, and only changed if a rule writes to it. TypeScript checks it too, unless its
 *   type is `unknown`: pass data from outside as `unknown`
 * @param profile - validated against the profile schema; left out, the one of {@link withProfile}, else `{}`
 * @returns the envelope: `OK`, `NO_MATCH`, `INVALID_INPUT` or `INVALID_PROFILE`
 * @throws DecernError `EVALUATION_FAILED` when a rule throws, its output breaks the output schema or is `undefined`, a
 *   function or a symbol, or a schema returns a promise; with the cause
 * @throws DecernError `INVALID_OPTIONS` when `decision` is not one, or an option is unknown or of the wrong kind
 */
export function evaluate<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
  decision: Decision<Input, Output, Profile, string, RuleId>,
  input: InputFor<NoInfer<Input>, GivenInput>,
  profile?: ProfileFor<NoInfer<Profile>, GivenProfile>,
  options?: EvaluateOptions,
): Result<Output, RuleId>;

// Apart from the signature above: a program does not tell the ids of its rules.
export function evaluate<Output>(
  decision: Decision<unknown, Output>,
  input: unknown,
  profile?: unknown,
  options?: EvaluateOptions,
): Result<Output> {
  checkDecision(decision);
  if (options === undefined) {
    return decision[program].evaluate(input, profile, new RuleScope(decision, systemClock.now()));
  }
  const { now, requestId } = checkEvaluateOptions("evaluate", options);
  return decision[program].evaluate(input, profile, new RuleScope(decision, now, requestId));
}

/** The options of {@link evaluateMany}. */
export interface EvaluateManyOptions<Profile = unknown> extends EvaluateOptions {
  /** As `evaluate` takes it, for all inputs. @default that of `withProfile`, else `{}` */
  readonly profile?: Profile | undefined;
}

/**
 * Evaluates a decision for many inputs, in process and synchronously, all at the same instant.
 *
 * @param inputs - as `evaluate` takes them, from a list or anything else that can be iterated
 * @returns for each input, in order, what `evaluate` returns for it, or the `DecernError` that it throws: one bad input never
 *   fails the others
 * @throws DecernError `INVALID_OPTIONS` when `decision` is not one, or an option is unknown or of the wrong kind
 * @throws what iterating over `inputs` throws
 *
 * @example
 * ```ts
 * for (const item of evaluateMany(loanApproval, inputs, { profile })) {
 *   if (item instanceof DecernError) console.error(item.cause);
 *   else console.log(item.status);
 * }
 * ```
 */
export function evaluateMany<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
  decision: Decision<Input, Output, Profile, string, RuleId>,
  inputs: Iterable<InputFor<NoInfer<Input>, GivenInput>>,
  options?: EvaluateManyOptions<ProfileFor<NoInfer<Profile>, GivenProfile>>,
): readonly (Result<Output, RuleId> | DecernError)[];

// Apart from the signature above, as in `evaluate`.
export function evaluateMany<Output>(
  decision: Decision<unknown, Output>,
  inputs: Iterable<unknown>,
  options: EvaluateManyOptions = {},
): readonly (Result<Output> | DecernError)[] {
  checkDecision(decision);
  const { now, requestId } = checkEvaluateOptions("evaluateMany", options, ["profile"]);
  const { profile } = options;
  const compiled = decision[program];
  const results: (Result<Output> | DecernError)[] = [];
  for (const input of inputs) {
    try {
      results.push(compiled.evaluate(input, profile, new RuleScope(decision, now, requestId)));
    } catch (thrown) {
      results.push(toFault(thrown, `decision "${decision.id}"`));
    }
  }
  return results;
}

/** What rules can learn of a call, and nothing else: not its request, nor how its version was chosen. */
export interface Call<Output = unknown> {
  readonly decision: Decision<unknown, Output>;
  readonly input: unknown;
  /** `undefined` takes that of `profiles`, else the decision's default profile. */
  readonly profile?: unknown;
  /** For this decision and those that it uses. @default their own */
  readonly profiles?: ProfileLookup | undefined;
  readonly epochMs: number;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  readonly caller?: string | undefined;
}

/** How a call ended: with a result or with an error. */
export type Outcome<Output = unknown> = {
  /** The one that was evaluated with. */
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
} & (
  | { readonly result: Result<Output>; readonly error: undefined }
  | { readonly result: undefined; readonly error: DecernError }
);

/** Evaluates a call. No hook runs, and nothing is counted or recorded. It never throws. */
export function evaluateCall<Output>(call: Call<Output>): Outcome<Output> {
  const { decision } = call;
  const given = profileOf(call);
  const scope = scopeOf(call);
  const compiled = decision[program];
  const profile = given === undefined ? compiled.boundProfile : given;
  try {
    const refusal = compiled.refuseNesting(call.input, given, scope);
    const result = refusal ?? compiled.evaluate(call.input, given, scope);
    return { result, error: undefined, profile, used: scope.used };
  } catch (thrown) {
    const error = toFault(thrown, `decision "${decision.id}"`);
    return { result: undefined, error, profile, used: scope.used };
  }
}

/**
 * Tries every rule of a decision with one input, not only those up to the first match.
 *
 * @returns each rule in order, or the envelope of what is refused
 * @throws DecernError `EVALUATION_FAILED` when a schema fails
 */
export function probe(call: Call): Probed {
  return call.decision[program].probe(call.input, profileOf(call), scopeOf(call));
}

function profileOf({ decision, profile, profiles }: Call): unknown {
  return profile === undefined ? profiles?.profileOf(decision) : profile;
}

function scopeOf({ decision: { id, uses }, caller, profiles, epochMs, requestId }: Call): RuleScope {
  return new RuleScope({ id, uses, caller, profiles }, epochMs, requestId);
}
