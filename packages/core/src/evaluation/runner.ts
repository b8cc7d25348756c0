import { type Awaitable, ignoreRejection, withDeadline } from "../awaitable.js";
import { copyError } from "../copies/copy-error.js";
import { copyResult } from "../copies/copy-result.js";
import { LazyCopy } from "../copies/lazy-copy.js";
import { ownError, readable } from "../copies/readable.js";
import { type Decision, program } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import { EvaluationRecord } from "../hooks/evaluation-record.js";
import { createContext, type Told, ToldCall } from "../hooks/hook-context.js";
import { applyPatch } from "../hooks/hook-patch.js";
import type { Hooks } from "../hooks/hooks.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import { toErrorReply } from "../host/outcome-table.js";
import type { OkResult, Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { isTooDeep } from "../program/validation.js";
import { checkEvaluatorOptions } from "./check-evaluator-options.js";
import { type Clock, isInstant, systemClock } from "./clock.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { type Fault, toFault } from "./fault.js";
import { consoleLogger, type Logger, neverThrowing } from "./logger.js";

export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Whose fault a profile is that breaks its schema: `caller` answers `INVALID_PROFILE`, `host` is a fault. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
}

/**
 * What is wanted of an evaluation beside its result: `text` is the result as JSON; with `copy` the result is one that
 * nobody else has, for a host's callbacks. Both are made before anybody who watches sees the evaluation.
 */
export type Wanted = "result" | "text" | "text and copy";

/** How an evaluation ended: with a result and its text, or with a fault. */
export type Outcome<Output = unknown> =
  | {
      readonly result: Result<Output>;
      /** `result` as JSON; empty when nobody asked for it. */
      readonly text: string;
      readonly error?: undefined;
      readonly requestId: string | undefined;
    }
  | FailedOutcome;

export interface FailedOutcome extends Fault {
  readonly result: undefined;
  readonly requestId: string | undefined;
}

/** Runs evaluations with their hooks and observers. It answers faults as values; who calls it decides to throw or to reply. */
export class Runner {
  readonly hookTimeoutMs: number;
  readonly #hooks: Hooks | undefined;
  readonly #observers: readonly EvaluationObserver[];
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(options: EvaluatorOptions = {}) {
    checkEvaluatorOptions(options);
    const { hooks } = options;
    // Without hooks nothing is asynchronous, and nothing is awaited.
    this.#hooks = hooks?.beforeEvaluate || hooks?.afterEvaluate || hooks?.onError ? hooks : undefined;
    this.#observers = options.observers ?? [];
    this.#clock = options.clock ?? systemClock;
    this.#logger = neverThrowing(options.logger ?? consoleLogger);
    this.hookTimeoutMs = options.hookTimeoutMs ?? 5000;
  }

  run<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    wanted: Wanted,
  ): Awaitable<Outcome<Output>> {
    return this.#hooks === undefined
      ? this.#run(decision, call, wanted)
      : this.#runHooked(decision, call, wanted, this.#hooks);
  }

  /** Counts and reports a call that failed before it could be evaluated, in a host's own callback. */
  async fail(decision: Decision, call: EvaluationCall, thrown: unknown): Promise<FailedOutcome> {
    const started = this.#monotonic();
    const cause = readable(thrown);
    const error = ownError(cause) ?? new DecernError("INTERNAL_ERROR", { cause });
    const scope = new RuleScope(this.#someInstant(), call.requestId);
    const told = new ToldCall(decision, call, scope);
    const outcome = {
      result: undefined,
      error,
      reply: toErrorReply(error),
      requestId: told.requestId,
    };
    this.#notify(decision, outcome, this.#since(started), told);
    await this.report(told, error);
    return outcome;
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  async report(told: Told, thrown: unknown): Promise<void> {
    const error = readable(thrown);
    const mine = ownError(error);
    if (mine === undefined || mine.statusCode >= 500) this.#log(told, error, "Evaluation failed");
    const onError = this.#hooks?.onError;
    if (onError === undefined) return;
    const own = mine === undefined ? error : copyError(mine);
    const shown = mine?.cause === undefined ? own : mine.cause;
    try {
      await this.#within("onError", () => onError.call(this.#hooks, createContext(told), shown));
    } catch (failure) {
      this.#log(told, readable(failure), "onError failed");
    }
  }

  #log({ decisionId, requestId }: Told, error: unknown, message: string): void {
    const mine = ownError(error);
    const err = mine === undefined ? error : copyError(mine);
    this.#logger.error({ err, decisionId, requestId }, message);
  }

  /** Runs a user's callback under the hook time-out. */
  #within<T>(name: string, work: () => Awaitable<T>): Promise<T> {
    const timeoutMs = this.hookTimeoutMs;
    return withDeadline(work, timeoutMs, () => {
      return new DecernError("HOOK_TIMEOUT", { detail: `${name} did not settle within ${timeoutMs} ms` });
    });
  }

  #run<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    wanted: Wanted,
  ): Awaitable<Outcome<Output>> {
    const started = this.#monotonic();
    let scope: RuleScope | undefined;
    let outcome: Outcome<Output>;
    try {
      scope = new RuleScope(this.#instant(), call.requestId);
      outcome = decide(decision, call, scope, wanted, wanted !== "result");
    } catch (thrown) {
      const fault = toFault(thrown, `decision "${decision.id}"`);
      outcome = { ...fault, result: undefined, requestId: call.requestId };
      scope ??= new RuleScope(this.#someInstant(), call.requestId);
      this.#log(new ToldCall(decision, call, scope), fault.error, "Evaluation failed");
    }
    if (this.#observers.length > 0) {
      this.#notify(decision, outcome, this.#since(started), new ToldCall(decision, call, scope));
    }
    return outcome;
  }

  async #runHooked<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    wanted: Wanted,
    hooks: Hooks,
  ): Promise<Outcome<Output>> {
    const started = this.#monotonic();
    let scope: RuleScope | undefined;
    let told: Told | undefined;
    let outcome: Outcome<Output>;
    try {
      scope = new RuleScope(this.#instant(), call.requestId);
      told = new ToldCall(decision, call, scope);
      let effective = call;
      const { beforeEvaluate } = hooks;
      if (beforeEvaluate !== undefined) {
        const original = told;
        // A copy: what a hook assigns counts when it returns it, and only then.
        const profile = new LazyCopy(original.profile);
        const context = createContext(original, new LazyCopy(original.input), profile);
        const patch = await this.#within("beforeEvaluate", () => beforeEvaluate.call(hooks, context));
        told = applyPatch(original, patch);
        if (told !== original) {
          scope = new RuleScope(told.epochMs, told.requestId);
          // Where the hook returned what it was told, whose profile it is stays as it was.
          const kept = told.profile === original.profile;
          const returned = kept || profile.is(told.profile);
          effective = {
            input: told.input,
            profile: kept ? call.profile : told.profile,
            profileFrom: returned ? call.profileFrom : "caller",
          };
        }
      }
      const { input, profile, profileFrom } = effective;
      const { requestId } = told;
      outcome = decide(decision, { input, profile, profileFrom, requestId }, scope, wanted, true);
    } catch (thrown) {
      scope ??= new RuleScope(this.#someInstant(), call.requestId);
      told ??= new ToldCall(decision, call, scope);
      // A hook may have followed the caller's value as deep as the stack goes.
      const refusal = isTooDeep(thrown)
        ? decision[program].refuseNesting(call.input, undefined, scope)
        : undefined;
      const { requestId } = told;
      if (refusal === undefined) {
        outcome = { ...toFault(thrown, `decision "${decision.id}"`), result: undefined, requestId };
      } else {
        const text = wanted === "result" ? "" : decision[program].stringify(refusal);
        outcome = { result: refusal, text, requestId };
      }
    }
    this.#notify(decision, outcome, this.#since(started), told);
    if (outcome.error !== undefined) await this.report(told, outcome.error);
    else if (outcome.result.status === "OK") await this.#after(hooks, told, outcome.result);
    return outcome;
  }

  async #after(hooks: Hooks, told: Told, result: OkResult): Promise<void> {
    const { afterEvaluate } = hooks;
    if (afterEvaluate === undefined) return;
    try {
      await this.#within("afterEvaluate", () =>
        afterEvaluate.call(hooks, createContext(told), copyResult(result)),
      );
    } catch (error) {
      await this.report(told, error);
    }
  }

  /** Each observer gets a record of its own, so that none can deceive the next. */
  #notify(decision: Decision, outcome: Outcome, durationSeconds: number, told: Told): void {
    for (const observer of this.#observers) {
      try {
        const record = new EvaluationRecord(decision, outcome, durationSeconds, told);
        // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
        ignoreRejection(observer.onEvaluated(record));
      } catch (error) {
        this.#log(told, readable(error), "An observer failed");
      }
    }
  }

  /** @throws DecernError `INTERNAL_ERROR` when the host's clock does not tell the time */
  #instant(): number {
    try {
      const epochMs = this.#clock.now();
      if (isInstant(epochMs)) return epochMs;
    } catch (thrown) {
      throw new DecernError("INTERNAL_ERROR", { detail: "the clock failed", cause: readable(thrown) });
    }
    throw new DecernError("INTERNAL_ERROR", { detail: "the clock answered no instant" });
  }

  /** For what has failed already, and still has to be told. */
  #someInstant(): number {
    try {
      return this.#instant();
    } catch {
      return systemClock.now();
    }
  }

  #monotonic(): number {
    if (this.#observers.length === 0) return 0;
    try {
      return Number(this.#clock.monotonic());
    } catch {
      return Number.NaN;
    }
  }

  /** Finite and never negative, whatever a host's clock says. */
  #since(started: number): number {
    const seconds = (this.#monotonic() - started) / 1000;
    return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : 0;
  }
}

/**
 * @param guarded - whether a value with too many levels is refused beforehand: where it may come from a request, or is
 *   given to hooks. A direct call in process finds out when something fails.
 */
function decide<Output>(
  decision: Decision<unknown, Output>,
  call: EvaluationCall,
  scope: RuleScope,
  wanted: Wanted,
  guarded: boolean,
): Outcome<Output> {
  const compiled = decision[program];
  const refusal = guarded ? compiled.refuseNesting(call.input, call.profile, scope) : undefined;
  const result = refusal ?? compiled.run(call.input, call.profile, scope);
  if (result.status === "INVALID_PROFILE" && call.profileFrom === "host") {
    throw new DecernError("INVALID_HOST_PROFILE", {
      detail: `the host's profile for decision "${decision.id}" breaks its schema`,
      problems: result.errors,
    });
  }
  return {
    result: wanted === "text and copy" ? copyResult(result) : result,
    text: wanted === "result" ? "" : compiled.stringify(result),
    requestId: call.requestId,
  };
}
