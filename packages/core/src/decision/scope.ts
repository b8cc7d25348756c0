import { canonicalJson } from "../base/canonical-json.js";
import { copyData, itself } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import {
  type Decision,
  type EvaluationScope,
  type ProfileLookup,
  type Program,
  program,
  type UsedCall,
  type UsedEvaluation,
} from "./decision.js";
import { copyResult, type Result } from "./result.js";

/** How many different calls of other decisions one evaluation may make, at every depth together. */
const maxCalls = 1000;

/** Watches the evaluations of decisions that rules use. */
interface UsedWatcher {
  /** Returns what `evaluate` returns, or throws what it throws. */
  used<Output>(decision: Decision, evaluate: () => Result<Output>): Result<Output>;
}

/** Whose rules a scope is for, and what a host knows of the call. A decision is one of which nothing is known. */
export interface ScopeOrigin {
  readonly id: string;
  readonly uses: readonly Decision[];
  readonly caller?: string | undefined;
  /** For the decisions that are used. @default their own */
  readonly profiles?: ProfileLookup | undefined;
  /** Absent without a trace. */
  readonly traces?: UsedWatcher | undefined;
}

/** What an evaluation shares with everything that it uses. */
interface Calls {
  count: number;
}

/** What only decisions that use others, or are used, need. */
interface Composition {
  /** The scope of the decision that uses this one. */
  readonly user: RuleScope | undefined;
  readonly calls: Calls;
  readonly used: UsedEvaluation[];
}

/** Nothing was used. Shared by all evaluations of that kind. */
export const noneUsed: readonly UsedEvaluation[] = Object.freeze([]);

/** The context of one evaluation. What costs time is made when a rule asks for it, and there are few fields to fill. */
export class RuleScope implements EvaluationScope {
  parts: EvaluationScope["parts"] = undefined;
  readonly #origin: ScopeOrigin;
  readonly #epochMs: number;
  #requestId: string | undefined;
  #composition: Composition | undefined;

  constructor(
    origin: ScopeOrigin,
    epochMs: number,
    requestId?: string | undefined,
    composition?: Composition | undefined,
  ) {
    this.#origin = origin;
    this.#epochMs = epochMs;
    this.#requestId = requestId;
    this.#composition = composition;
  }

  get epochMs(): number {
    return this.#epochMs;
  }

  /** A new `Date` each time: a rule that changes it changes nothing. */
  get now(): Date {
    return new Date(this.#epochMs);
  }

  get requestId(): string {
    this.#requestId ??= this.#composition?.user?.requestId ?? crypto.randomUUID();
    return this.#requestId;
  }

  get caller(): string | undefined {
    return this.#origin.caller;
  }

  /** What rules have evaluated so far, in order. */
  get used(): readonly UsedEvaluation[] {
    return this.#composition?.used ?? noneUsed;
  }

  // Apart from the last: a program does not tell the ids of its rules.
  evaluate<Output, RuleId extends string>(
    decision: Decision<unknown, Output, unknown, string, RuleId>,
    input: unknown,
  ): Result<Output, RuleId>;
  evaluate<Output>(decision: Decision<unknown, Output>, input: unknown): Result<Output> {
    const user = this.#origin;
    if (!user.uses.includes(decision)) throw unlisted(user, decision);
    this.#composition ??= { user: undefined, calls: { count: 0 }, used: [] };
    const { calls, used } = this.#composition;
    const { caller, profiles, traces } = user;
    const origin: ScopeOrigin = { id: decision.id, uses: decision.uses, caller, profiles, traces };
    const scope = new RuleScope(origin, this.#epochMs, undefined, { user: this, calls, used: [] });
    return decision[program].evaluateUsed({
      input,
      evaluation: calls,
      within: (evaluateOnce) => {
        calls.count += 1;
        if (calls.count > maxCalls) throw tooMany(user);
        // The rules on both sides may write to their own.
        const kept = copyData(input);
        const profile = profiles?.profileOf(decision);
        const evaluate = () => {
          const result = evaluateOnce(copyData(input), profile, scope);
          // Only the host gives a profile to a decision that is used.
          if (result.status === "INVALID_PROFILE") throw invalidProfile(user, decision, result.errors);
          return result;
        };
        const result = traces === undefined ? evaluate() : traces.used(decision, evaluate);
        const own = profile === undefined ? decision[program].boundProfile : profile;
        used.push({ decision, input: kept, profile: own, result, used: scope.used });
        return result;
      },
    });
  }
}

function unlisted(user: ScopeOrigin, decision: unknown): DecernError {
  const id: unknown =
    typeof decision === "object" && decision !== null && "id" in decision ? decision.id : undefined;
  const what = typeof id === "string" ? `decision "${id}"` : "something that is not a decision";
  const detail = `decision "${user.id}" evaluates ${what}, which its "uses" does not list; add that decision to its "uses"`;
  return new DecernError("EVALUATION_FAILED", { detail });
}

function tooMany(user: ScopeOrigin): DecernError {
  const detail = `decision "${user.id}" made more than ${maxCalls} different calls of other decisions in one evaluation`;
  return new DecernError("EVALUATION_FAILED", { detail });
}

function invalidProfile(user: ScopeOrigin, { id }: Decision, problems: DecernError["problems"]): DecernError {
  const detail = `the profile of decision "${id}", which decision "${user.id}" uses, breaks its schema`;
  return new DecernError("INVALID_HOST_PROFILE", { detail, problems });
}

/** How one call of a used decision ended. */
type Ended<Output> = { readonly result: Result<Output> } | { readonly thrown: unknown };

/** What a used decision returned, so that equal inputs are evaluated once within one evaluation. */
export class UsedResults<Output> {
  readonly #byEvaluation = new WeakMap<object, Map<string, Ended<Output>>>();

  /** Evaluates a call, or returns or throws what its program did when it first got this input. */
  of({ input, evaluation, within }: UsedCall, called: Pick<Program<Output>, "evaluate">): Result<Output> {
    const result = this.#once(evaluation, input, () =>
      within((own, profile, scope) => called.evaluate(own, profile, scope)),
    );
    // The result is shared, and its recipient may write to it.
    return copyResult(result, itself);
  }

  #once(evaluation: object, input: unknown, evaluate: () => Result<Output>): Result<Output> {
    const key = canonicalJson(input, beyondJson);
    // It is unknown whether it equals an earlier one: even the same object may have changed since.
    if (key === undefined) return evaluate();
    let results = this.#byEvaluation.get(evaluation);
    if (results === undefined) {
      results = new Map();
      this.#byEvaluation.set(evaluation, results);
    }
    let ended = results.get(key);
    if (ended === undefined) {
      try {
        ended = { result: evaluate() };
      } catch (thrown) {
        ended = { thrown };
      }
      results.set(key, ended);
    }
    if ("thrown" in ended) throw ended.thrown;
    return ended.result;
  }
}

/** What rules pass besides JSON, in texts that are no JSON, so that none equals another value. */
function beyondJson(value: unknown): string | undefined {
  switch (typeof value) {
    case "undefined":
    case "number":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "string":
      // A lone surrogate, which JSON.stringify escapes.
      return JSON.stringify(value);
    default:
      return value instanceof Date && Object.getPrototypeOf(value) === Date.prototype
        ? `Date(${value.getTime()})`
        : undefined;
  }
}
