import { type Awaitable, ignoreRejection, withDeadline } from "../awaitable.js";
import { copyError } from "../copies/copy-error.js";
import { copyOkResult } from "../copies/copy-result.js";
import { LazyCopy } from "../copies/lazy-copy.js";
import { ownError, readable } from "../copies/readable.js";
import { type Decision, program } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import { EvaluationRecord } from "../hooks/evaluation-record.js";
import { createContext, type Told } from "../hooks/hook-context.js";
import { applyPatch } from "../hooks/hook-patch.js";
import type { Hooks } from "../hooks/hooks.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { isTooDeep } from "../program/validation.js";
import { checkEvaluatorOptions } from "./check-evaluator-options.js";
import { type Clock, isInstant, systemClock } from "./clock.js";
import type { Encoder } from "./encoder.js";
import { Evaluation } from "./evaluation.js";
import type { EvaluationCall } from "./evaluation-call.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { isRefusal, toFault } from "./fault.js";
import { consoleLogger, type Logger, neverThrowing } from "./logger.js";

/**
 * What every evaluation goes through: `beforeEvaluate`, the decision itself, the encoder, the observers, then
 * `afterEvaluate` or `onError`. A fault never throws; the encoder says what the caller gets.
 */
export class EvaluationPipeline {
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

  /** Evaluates one call: at once where there are no hooks, else asynchronously. */
  evaluate<Output, Ended>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    encoder: Encoder<Output, Ended>,
  ): Awaitable<Ended> {
    const evaluation = this.#begin(decision, call);
    const hooks = this.#hooks;
    if (hooks !== undefined) return this.#evaluateWithHooks(decision, evaluation, encoder, hooks);
    const ended = this.#conclude(decision, evaluation, encoder);
    if (evaluation.error !== undefined) this.#logFault(evaluation, evaluation.error);
    return ended;
  }

  /** Counts and reports a call that failed before it could be evaluated, in a host's own callback. */
  async fail<Output, Ended>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
    thrown: unknown,
    encoder: Encoder<Output, Ended>,
  ): Promise<Ended> {
    const evaluation = this.#begin(decision, call);
    const cause = readable(thrown);
    const error = ownError(cause) ?? new DecernError("INTERNAL_ERROR", { cause });
    evaluation.aborted = { thrown: error };
    const ended = this.#conclude(decision, evaluation, encoder);
    await this.report(evaluation, error);
    return ended;
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  async report(told: Told, thrown: unknown): Promise<void> {
    const error = readable(thrown);
    const mine = ownError(error);
    this.#logFault(told, error);
    const hooks = this.#hooks;
    const onError = hooks?.onError;
    if (onError === undefined) return;
    const own = mine === undefined ? error : copyError(mine);
    const shown = mine?.cause === undefined ? own : mine.cause;
    try {
      await this.#within("onError", () => onError.call(hooks, createContext(told), shown));
    } catch (failure) {
      this.#log(told, readable(failure), "onError failed");
    }
  }

  async #evaluateWithHooks<Output, Ended>(
    decision: Decision<unknown, Output>,
    evaluation: Evaluation,
    encoder: Encoder<Output, Ended>,
    hooks: Hooks,
  ): Promise<Ended> {
    if (hooks.beforeEvaluate !== undefined && evaluation.aborted === undefined) {
      await this.#before(hooks, hooks.beforeEvaluate, evaluation);
    }
    const ended = this.#conclude(decision, evaluation, encoder);
    if (evaluation.error !== undefined) await this.report(evaluation, evaluation.error);
    else if (hooks.afterEvaluate !== undefined) await this.#after(hooks, hooks.afterEvaluate, evaluation);
    return ended;
  }

  #begin(decision: Decision, call: EvaluationCall): Evaluation {
    const startedMs = this.#monotonic();
    try {
      return new Evaluation(decision, call, startedMs, this.#instant());
    } catch (thrown) {
      // It has failed already, and must still be reported.
      const evaluation = new Evaluation(decision, call, startedMs, systemClock.now());
      evaluation.aborted = { thrown };
      return evaluation;
    }
  }

  async #before(
    hooks: Hooks,
    beforeEvaluate: NonNullable<Hooks["beforeEvaluate"]>,
    evaluation: Evaluation,
  ): Promise<void> {
    try {
      const original = evaluation.profile;
      // A copy: what a hook assigns counts when it returns it, and only then.
      const profile = new LazyCopy(original);
      const context = createContext(evaluation, new LazyCopy(evaluation.input), profile);
      const patch = await this.#within("beforeEvaluate", () => beforeEvaluate.call(hooks, context));
      const patched = applyPatch(evaluation, original, patch);
      if (patched === undefined) return;
      evaluation.decisionId = patched.decisionId;
      evaluation.input = patched.input;
      evaluation.scope = new RuleScope(patched.epochMs, patched.requestId);
      // When the hook returned the profile that it was told, it is still the same party's.
      if (patched.profile === original) return;
      evaluation.givenProfile = patched.profile;
      if (!profile.is(patched.profile)) evaluation.profileFrom = "caller";
    } catch (thrown) {
      evaluation.aborted = { thrown };
    }
  }

  /** Evaluates, encodes what came of it and tells the observers. Synchronous, with hooks and without. */
  #conclude<Output, Ended>(
    decision: Decision<unknown, Output>,
    evaluation: Evaluation,
    encoder: Encoder<Output, Ended>,
  ): Ended {
    let ended: Ended;
    let seconds: number | undefined;
    try {
      const result = this.#decide(decision, evaluation, encoder.takesRequests);
      seconds = this.#since(evaluation.startedMs);
      ended = encoder.result(result, evaluation);
      evaluation.result = result;
    } catch (thrown) {
      seconds ??= this.#since(evaluation.startedMs);
      // A hook may have followed the caller's value as deep as the stack goes.
      const refusal = isTooDeep(thrown)
        ? decision[program].refuseNesting(evaluation.input, undefined, evaluation.scope)
        : undefined;
      if (refusal === undefined) {
        evaluation.error = toFault(thrown, `decision "${decision.id}"`);
        ended = encoder.fault(evaluation.error, evaluation);
      } else {
        evaluation.result = refusal;
        ended = encoder.result(refusal, evaluation);
      }
    }
    if (this.#observers.length > 0) this.#notify(evaluation, seconds);
    return ended;
  }

  #decide<Output>(
    decision: Decision<unknown, Output>,
    evaluation: Evaluation,
    takesRequests: boolean,
  ): Result<Output> {
    const { input, givenProfile, scope, aborted } = evaluation;
    if (aborted !== undefined) throw aborted.thrown;
    const compiled = decision[program];
    // Hooks look into a value as requests do.
    const isGuarded = takesRequests || this.#hooks !== undefined;
    const refusal = isGuarded ? compiled.refuseNesting(input, givenProfile, scope) : undefined;
    const result = refusal ?? compiled.run(input, givenProfile, scope);
    if (result.status === "INVALID_PROFILE" && evaluation.profileFrom === "host") {
      throw new DecernError("INVALID_HOST_PROFILE", {
        detail: `the host's profile for decision "${decision.id}" breaks its schema`,
        problems: result.errors,
      });
    }
    return result;
  }

  /** Each observer gets a record of its own, so that none can deceive the next. */
  #notify(evaluation: Evaluation, durationSeconds: number): void {
    for (const observer of this.#observers) {
      try {
        const record = new EvaluationRecord(evaluation, durationSeconds);
        // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
        ignoreRejection(observer.onEvaluated(record));
      } catch (error) {
        this.#log(evaluation, readable(error), "An observer failed");
      }
    }
  }

  async #after(
    hooks: Hooks,
    afterEvaluate: NonNullable<Hooks["afterEvaluate"]>,
    evaluation: Evaluation,
  ): Promise<void> {
    const { result } = evaluation;
    if (result?.status !== "OK") return;
    try {
      await this.#within("afterEvaluate", () =>
        afterEvaluate.call(hooks, createContext(evaluation), copyOkResult(result)),
      );
    } catch (error) {
      await this.report(evaluation, error);
    }
  }

  /** A refusal is the caller's affair, and not logged. */
  #logFault(told: Told, error: unknown): void {
    const mine = ownError(error);
    if (mine === undefined || !isRefusal(mine)) this.#log(told, error, "Evaluation failed");
  }

  #log({ decisionId, requestId }: Told, error: unknown, message: string): void {
    const mine = ownError(error);
    const err = mine === undefined ? error : copyError(mine);
    this.#logger.error({ err, decisionId, requestId }, message);
  }

  /** Runs a user's callback under the hook time-out. */
  #within<T>(name: string, work: () => Awaitable<T>): Awaitable<T> {
    const timeoutMs = this.hookTimeoutMs;
    return withDeadline(work, timeoutMs, () => {
      return new DecernError("HOOK_TIMEOUT", { detail: `${name} did not settle within ${timeoutMs} ms` });
    });
  }

  /** @throws DecernError `INTERNAL_ERROR` when the host's clock does not tell the time */
  #instant(): number {
    try {
      const epochMs = this.#clock.now();
      if (isInstant(epochMs)) return epochMs;
    } catch (thrown) {
      throw new DecernError("INTERNAL_ERROR", { detail: "the clock failed", cause: readable(thrown) });
    }
    throw new DecernError("INTERNAL_ERROR", { detail: "the clock did not return an instant" });
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
  #since(startedMs: number): number {
    const seconds = (this.#monotonic() - startedMs) / 1000;
    return seconds > 0 && seconds < Number.POSITIVE_INFINITY ? seconds : 0;
  }
}
