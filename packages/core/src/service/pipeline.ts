import { type Awaitable, isThenable, oneTurn, Settlement } from "../base/awaitable.js";
import { systemClock, Timekeeper } from "../base/clock.js";
import { LazyCopy } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { loggerOf } from "../base/logger.js";
import { ownError, readable, toFault } from "../base/thrown.js";
import { type Decision, program } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import { isTooDeep } from "../decision/validation.js";
import type { HostCall } from "./call.js";
import { decide, type Encoder, Evaluation } from "./evaluation.js";
import { checkEvaluatorOptions, type EvaluatorOptions } from "./evaluator-options.js";
import type { Told } from "./hook-context.js";
import type { Recorder } from "./records.js";
import type { Shadow } from "./shadow.js";
import { admit, choose, FaultReporter, HookSteps, keep, onceRecorded } from "./steps.js";
import { Watching } from "./watching.js";

/**
 * The steps of every evaluation: `beforeEvaluate`, the decision itself, the encoder, the observers, then `afterEvaluate` or
 * `onError`. A fault never throws; the encoder says what the caller gets.
 */
export class EvaluationPipeline {
  readonly hookTimeoutMs: number;
  readonly #steps: HookSteps | undefined;
  readonly #reporter: FaultReporter;
  readonly #watching: Watching;
  readonly #time: Timekeeper;
  readonly #recorder: Recorder | undefined;

  constructor(options: EvaluatorOptions = {}) {
    checkEvaluatorOptions(options);
    const { hooks, hookTimeoutMs = 5000, observers = [] } = options;
    // Without hooks nothing is asynchronous, and nothing is awaited.
    const hasHooks = hooks?.beforeEvaluate || hooks?.afterEvaluate || hooks?.onError;
    this.#steps = hooks !== undefined && hasHooks ? new HookSteps(hooks) : undefined;
    this.#reporter = new FaultReporter(loggerOf(options.logger), hooks, hookTimeoutMs);
    this.#watching = new Watching(observers, this.#reporter);
    this.#recorder = options.log?.attach({ logger: this.#reporter.logger, observers });
    const measures = observers.length > 0 || this.#recorder !== undefined;
    this.#time = new Timekeeper(options.clock ?? systemClock, measures);
    this.hookTimeoutMs = hookTimeoutMs;
  }

  /** Whether the next evaluation of a list or a stream may begin, and be recorded. */
  get hasRoomForMany(): boolean {
    return this.#recorder === undefined || this.#recorder.hasRoomForMany;
  }

  /**
   * Evaluates one call: at once where there are no hooks, else asynchronously.
   *
   * @param input - instead of the call's own: many calls of one request differ in nothing else
   */
  evaluate<Output, Ended>(
    decision: Decision<unknown, Output>,
    call: HostCall,
    encoder: Encoder<Output, Ended>,
    input: unknown = call.input,
  ): Awaitable<Ended> {
    const evaluation = this.#begin(decision, call, input);
    admit(evaluation, this.#recorder);
    const steps = this.#steps;
    if (steps !== undefined) return this.#evaluateWithHooks(decision, evaluation, encoder, steps);
    const ended = this.#conclude(decision, evaluation, encoder);
    if (evaluation.error !== undefined) this.#reporter.logFault(evaluation, evaluation.error);
    this.#watching.end(evaluation);
    return this.#onceRecorded(evaluation, ended, encoder);
  }

  /** Counts and reports a call that failed before it could be evaluated, in a host's own callback. */
  async fail<Output, Ended>(
    decision: Decision<unknown, Output>,
    call: HostCall,
    thrown: unknown,
    encoder: Encoder<Output, Ended>,
  ): Promise<Ended> {
    const evaluation = this.#begin(decision, call, call.input);
    const cause = readable(thrown);
    const error = ownError(cause) ?? new DecernError("INTERNAL_ERROR", { cause });
    evaluation.aborted = { thrown: error };
    admit(evaluation, this.#recorder);
    const ended = this.#conclude(decision, evaluation, encoder);
    await this.report(evaluation, error);
    this.#watching.end(evaluation);
    return this.#onceRecorded(evaluation, ended, encoder);
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  report(told: Told, thrown: unknown): Promise<void> {
    return this.#reporter.report(told, thrown);
  }

  /**
   * Waits for hooks here, without an `async` function for each step: every promise on the way costs about as much as a small
   * evaluation.
   */
  async #evaluateWithHooks<Output, Ended>(
    decision: Decision<unknown, Output>,
    evaluation: Evaluation,
    encoder: Encoder<Output, Ended>,
    steps: HookSteps,
  ): Promise<Ended> {
    if (steps.hasBefore && evaluation.aborted === undefined) {
      try {
        // A copy: what a hook assigns counts only when it returns it.
        const profile = new LazyCopy(evaluation.profile);
        let patch = steps.before(evaluation, profile);
        if (isThenable(patch)) {
          const settlement = new Settlement(patch);
          await oneTurn;
          patch =
            settlement.value === undefined
              ? await settlement.within("beforeEvaluate", this.hookTimeoutMs)
              : settlement.value.value;
        }
        evaluation.apply(patch, profile);
      } catch (thrown) {
        evaluation.aborted = { thrown };
      }
    }
    const ended = this.#conclude(decision, evaluation, encoder);
    const { error, result } = evaluation;
    if (error !== undefined) {
      await this.report(evaluation, error);
    } else if (result?.status === "OK") {
      try {
        const returned = steps.after(evaluation, result);
        if (isThenable(returned)) {
          const settlement = new Settlement(returned);
          await oneTurn;
          if (settlement.value === undefined) await settlement.within("afterEvaluate", this.hookTimeoutMs);
        }
      } catch (thrown) {
        await this.report(evaluation, thrown);
      }
    }
    this.#watching.end(evaluation);
    return this.#onceRecorded(evaluation, ended, encoder);
  }

  #onceRecorded<Output, Ended>(
    evaluation: Evaluation,
    ended: Ended,
    encoder: Encoder<Output, Ended>,
  ): Awaitable<Ended> {
    if (evaluation.recorded === undefined) return ended;
    return onceRecorded(evaluation, ended, encoder, (error) => this.report(evaluation, error));
  }

  #begin(decision: Decision, call: HostCall, input: unknown): Evaluation {
    const startedMs = this.#time.start();
    let evaluation: Evaluation;
    try {
      evaluation = new Evaluation(decision, call, input, startedMs, this.#time.instant());
    } catch (thrown) {
      // It has failed already, and must still be reported.
      evaluation = new Evaluation(decision, call, input, startedMs, systemClock.now());
      evaluation.aborted = { thrown };
    }
    this.#watching.start(evaluation);
    return evaluation;
  }

  /** Evaluates, encodes the outcome and tells the observers. Synchronous, with hooks and without. */
  #conclude<Output, Ended>(
    decision: Decision<unknown, Output>,
    evaluation: Evaluation,
    encoder: Encoder<Output, Ended>,
  ): Ended {
    let ended: Ended;
    let seconds: number | undefined;
    try {
      // Hooks read a value as requests do.
      const isGuarded = encoder.takesRequests || this.#steps !== undefined;
      const result = decide(decision, evaluation, isGuarded);
      seconds = this.#time.since(evaluation.startedMs);
      choose(evaluation, result.status);
      if (evaluation.shadow !== undefined) this.#prepareShadow(evaluation.shadow, evaluation, result);
      ended = encoder.result(result, evaluation);
      evaluation.result = result;
    } catch (thrown) {
      seconds ??= this.#time.since(evaluation.startedMs);
      // A hook may have followed the caller's value as deep as the stack goes.
      const refusal = isTooDeep(thrown)
        ? decision[program].refuseNesting(evaluation.input, undefined, evaluation.scope)
        : undefined;
      if (refusal === undefined) {
        const error = toFault(thrown, `decision "${decision.id}"`);
        evaluation.error = error;
        choose(evaluation, "ERROR");
        ended = encoder.fault(error, evaluation);
      } else {
        evaluation.result = refusal;
        choose(evaluation, refusal.status);
        ended = encoder.result(refusal, evaluation);
      }
    }
    evaluation.durationSeconds = seconds;
    keep(evaluation);
    this.#watching.notify(evaluation);
    return ended;
  }

  /** Nothing that fails here reaches the evaluation. */
  #prepareShadow(shadow: Shadow, evaluation: Evaluation, result: Result): void {
    try {
      const { logger } = this.#reporter;
      const { observers } = this.#watching;
      const watchers = { observers, logger, time: this.#time, recorder: this.#recorder };
      evaluation.afterwards = shadow.take(evaluation, result, watchers);
    } catch (thrown) {
      this.#reporter.log(evaluation, readable(thrown), "A shadow evaluation failed");
    }
  }
}
