import { type Awaitable, ignoreRejection, withDeadline } from "./awaitable.js";
import { checkEvaluatorOptions } from "./check-evaluator-options.js";
import { type Clock, systemClock } from "./clock.js";
import { type Decision, program } from "./decision.js";
import { DecernError } from "./errors.js";
import { createContext, EvaluationRecord } from "./evaluation-record.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { applyPatch } from "./hook-patch.js";
import type { HookContext, Hooks } from "./hooks.js";
import { consoleLogger, type Logger, neverThrowing } from "./logger.js";
import type { EvaluationEvent, EvaluationObserver } from "./observer.js";
import type { OkResult, Result } from "./result.js";
import { RuleScope } from "./rule-scope.js";
import { isTooDeep } from "./validation.js";

export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Whose fault a profile is that breaks its schema: `caller` answers `INVALID_PROFILE`, `host` is a fault. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
}

/** How an evaluation ended: with a result and its text, or with a fault. */
export type Outcome<Output = unknown> =
  | {
      readonly result: Result<Output>;
      /** `result` as JSON; empty when nobody asked for it. */
      readonly text: string;
      readonly error?: undefined;
      readonly requestId: string | undefined;
    }
  | { readonly result: undefined; readonly error: DecernError; readonly requestId: string | undefined };

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

  /** @param withText - whether the result's JSON is wanted; writing it is then part of the evaluation */
  run<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    withText: boolean,
  ): Awaitable<Outcome<Output>> {
    return this.#hooks === undefined
      ? this.#run(decision, call, withText)
      : this.#runHooked(decision, call, withText, this.#hooks);
  }

  /** Counts and reports a call that failed before it could be evaluated, in a host's own callback. */
  async fail(decision: Decision, call: EvaluationCall, cause: unknown): Promise<Outcome<never>> {
    const started = this.#start();
    const scope = new RuleScope(this.#clock.now(), call.requestId);
    const context = createContext(decision, call, scope);
    const error = cause instanceof DecernError ? cause : new DecernError("INTERNAL_ERROR", { cause });
    this.#notify({
      decision,
      status: "ERROR",
      durationSeconds: this.#since(started),
      result: undefined,
      error,
      context,
    });
    await this.report(context, error);
    return { result: undefined, error, requestId: context.requestId };
  }

  /** Logs an error and gives it to `onError`, whose own failure changes nothing. */
  async report(context: HookContext, error: unknown): Promise<void> {
    const { decisionId, requestId } = context;
    if (!(error instanceof DecernError) || error.statusCode >= 500) {
      this.#logger.error({ err: error, decisionId, requestId }, "Evaluation failed");
    }
    const onError = this.#hooks?.onError;
    if (onError === undefined) return;
    const thrown = error instanceof DecernError && error.cause !== undefined ? error.cause : error;
    try {
      await this.#within("onError", () => onError.call(this.#hooks, context, thrown));
    } catch (failure) {
      this.#logger.error({ err: failure, decisionId, requestId }, "onError failed");
    }
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
    withText: boolean,
  ): Awaitable<Outcome<Output>> {
    const started = this.#start();
    const scope = new RuleScope(this.#clock.now(), call.requestId);
    let outcome: Outcome<Output>;
    try {
      outcome = decide(decision, call, scope, withText, withText);
    } catch (cause) {
      outcome = {
        result: undefined,
        error: toFault(cause, `decision "${decision.id}"`),
        requestId: call.requestId,
      };
      const { decisionId, requestId } = createContext(decision, call, scope);
      this.#logger.error({ err: outcome.error, decisionId, requestId }, "Evaluation failed");
    }
    if (this.#observers.length > 0) {
      this.#notify(new EvaluationRecord(decision, outcome, this.#since(started), call, scope));
    }
    return outcome;
  }

  async #runHooked<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    withText: boolean,
    hooks: Hooks,
  ): Promise<Outcome<Output>> {
    const started = this.#start();
    const scope = new RuleScope(this.#clock.now(), call.requestId);
    let context = createContext(decision, call, scope);
    let outcome: Outcome<Output>;
    try {
      const { beforeEvaluate } = hooks;
      let effective = call;
      let effectiveScope = scope;
      if (beforeEvaluate !== undefined) {
        const original = context;
        // A copy: what a hook assigns counts when it returns it, and only then.
        const patch = await this.#within("beforeEvaluate", () => beforeEvaluate.call(hooks, { ...original }));
        const patched = applyPatch(original, patch);
        if (patched !== original) {
          context = patched;
          effectiveScope = new RuleScope(patched.timestamp.getTime(), patched.requestId);
          const replaced = patched.profile !== original.profile;
          effective = {
            input: patched.input,
            profile: replaced ? patched.profile : call.profile,
            profileFrom: replaced ? "caller" : call.profileFrom,
            requestId: patched.requestId,
          };
        }
      }
      const patchedCall = { ...effective, requestId: context.requestId };
      outcome = decide(decision, patchedCall, effectiveScope, withText, true);
    } catch (cause) {
      // A hook may have followed the caller's value as deep as the stack goes.
      const refusal = isTooDeep(cause)
        ? decision[program].refuseNesting(call.input, undefined, scope)
        : undefined;
      outcome =
        refusal === undefined
          ? {
              result: undefined,
              error: toFault(cause, `decision "${decision.id}"`),
              requestId: context.requestId,
            }
          : {
              result: refusal,
              text: withText ? decision[program].stringify(refusal) : "",
              requestId: context.requestId,
            };
    }
    const { result, error } = outcome;
    const status = result === undefined ? "ERROR" : result.status;
    this.#notify({ decision, status, durationSeconds: this.#since(started), result, error, context });
    if (error !== undefined) await this.report(context, error);
    else if (result?.status === "OK") await this.#after(hooks, context, result);
    return outcome;
  }

  async #after(hooks: Hooks, context: HookContext, result: OkResult): Promise<void> {
    const { afterEvaluate } = hooks;
    if (afterEvaluate === undefined) return;
    try {
      await this.#within("afterEvaluate", () => afterEvaluate.call(hooks, context, structuredClone(result)));
    } catch (error) {
      await this.report(context, error);
    }
  }

  #notify(event: EvaluationEvent): void {
    for (const observer of this.#observers) {
      try {
        // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
        ignoreRejection(observer.onEvaluated(event));
      } catch (error) {
        const { decisionId, requestId } = event.context;
        this.#logger.error({ err: error, decisionId, requestId }, "An observer failed");
      }
    }
  }

  #start(): number {
    return this.#observers.length > 0 ? this.#clock.monotonic() : 0;
  }

  #since(started: number): number {
    return this.#observers.length > 0 ? (this.#clock.monotonic() - started) / 1000 : 0;
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
  withText: boolean,
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
  return { result, text: withText ? compiled.stringify(result) : "", requestId: call.requestId };
}

/** A hook may refuse a call with an error that carries a 4xx status; everything else is a fault. */
function toFault(cause: unknown, where: string): DecernError {
  if (cause instanceof DecernError) return cause;
  const statusCode =
    typeof cause === "object" && cause !== null && "statusCode" in cause ? cause.statusCode : undefined;
  if (
    typeof statusCode === "number" &&
    Number.isInteger(statusCode) &&
    statusCode >= 400 &&
    statusCode <= 499
  ) {
    return new DecernError("EVALUATION_ABORTED", { statusCode, cause });
  }
  return new DecernError("EVALUATION_FAILED", { detail: where, cause });
}
