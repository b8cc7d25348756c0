import { checkDecision } from "../definition/check-decision.js";
import { type Decision, program } from "../definition/decision.js";
import type { InputFor, ProfileFor } from "../definition/given.js";
import { DecernError, type Problem } from "../errors.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import { isInstant, systemClock } from "./clock.js";

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
 * @param input - validated against the input schema; never mutated. TypeScript checks it too, unless its type is `unknown`:
 *   pass data from outside as `unknown`
 * @param profile - validated against the profile schema; left out, the one of {@link withProfile}, else `{}`
 * @returns the envelope: `OK`, `NO_MATCH`, `INVALID_INPUT` or `INVALID_PROFILE`
 * @throws DecernError `EVALUATION_FAILED` when a rule throws, its output breaks the output schema or has no JSON form, or
 *   a schema returns a promise; with the cause
 * @throws DecernError `INVALID_OPTIONS` when `decision` is not one, or an option is unknown or of the wrong kind
 */
export function evaluate<Input, Output, Profile, GivenInput, GivenProfile>(
  decision: Decision<Input, Output, Profile>,
  input: InputFor<NoInfer<Input>, GivenInput>,
  profile?: ProfileFor<NoInfer<Profile>, GivenProfile>,
  options?: EvaluateOptions,
): Result<Output> {
  checkDecision(decision);
  if (options === undefined) {
    return decision[program].evaluate(input, profile, new RuleScope(decision, systemClock.now()));
  }
  const { now, requestId } = checkEvaluateOptions(options);
  return decision[program].evaluate(input, profile, new RuleScope(decision, now, requestId));
}

function checkEvaluateOptions(options: unknown): {
  readonly now: number;
  readonly requestId: string | undefined;
} {
  const problems: Problem[] = [];
  if (isJsonObject(options)) {
    const { now, requestId, ...others } = options;
    const epochMs = now === undefined ? systemClock.now() : instantOf(now);
    for (const name of Object.keys(others)) {
      problems.push({ path: `/${escapePointer(name)}`, message: "is not known; known are now, requestId" });
    }
    if (epochMs === undefined) problems.push({ path: "/now", message: "must be a valid Date" });
    const isText = requestId === undefined || typeof requestId === "string";
    if (!isText) problems.push({ path: "/requestId", message: "must be a string" });
    if (problems.length === 0 && epochMs !== undefined && isText) return { now: epochMs, requestId };
  } else {
    problems.push({ path: "", message: "options must be an object" });
  }
  throw new DecernError("INVALID_OPTIONS", { detail: "evaluate", problems });
}

function instantOf(date: unknown): number | undefined {
  const epochMs = date instanceof Date ? date.getTime() : undefined;
  return isInstant(epochMs) ? epochMs : undefined;
}
