import { DecernError, ownError } from "../base/errors.js";
import { loggerOf, maskedError, readable, toFault } from "../base/faults.js";
import {
  type Awaitable,
  ignoreRejection,
  isThenable,
  oneTurn,
  Settlement,
  systemClock,
  Timekeeper,
} from "../base/time.js";
import { program } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { callAfter, callBefore, FaultReporter, LazyCopy, type Told } from "./hook-context.js";
import { type EvaluationObserver, type Hooks, notifyObservers } from "./hooks.js";
import { EvaluationRecord, startTraces } from "./observed.js";
import type { Recorder } from "./records.js";
import type { Origin } from "./request-view.js";
import { type Choice, type Form, Run, type ShadowChoice } from "./run.js";
import { prepareShadow } from "./shadow.js";

/**
 * The steps of every evaluation: `beforeEvaluate`, the decision itself, its text, the record, the observers, then
 * `afterEvaluate` or `onError`. It never throws. Without hooks nothing is asynchronous, and nothing is awaited.
 */
export class Runner {
  readonly hookTimeoutMs: number;
  readonly #hooks: Hooks | undefined;
  readonly #reporter: FaultReporter;
  readonly #observers: readonly EvaluationObserver[];
  readonly #tracers: readonly EvaluationObserver[];
  readonly #time: Timekeeper;
  readonly #recorder: Recorder | undefined;
  readonly #shadows: boolean;

  /** @param shadows - whether candidates are evaluated too */
  constructor(options: EvaluatorOptions = {}, shadows = true) {
    const { hooks, hookTimeoutMs = 5000, observers = [] } = options;
    this.#hooks = hooks?.beforeEvaluate || hooks?.afterEvaluate || hooks?.onError ? hooks : undefined;
    this.#reporter = new FaultReporter(loggerOf(options.logger), hooks, hookTimeoutMs);
    this.#observers = observers;
    this.#tracers = observers.filter(({ onStarted }) => onStarted !== undefined);
    this.#recorder = options.log?.attach({ logger: this.#reporter.logger, observers });
    const measures = observers.length > 0 || this.#recorder !== undefined;
    this.#time = new Timekeeper(options.clock ?? systemClock, measures);
    this.hookTimeoutMs = hookTimeoutMs;
    this.#shadows = shadows;
  }

  /** Whether the next evaluation of a list or a stream may begin, and be recorded. */
  get hasRoomForMany(): boolean {
    return this.#recorder === undefined || this.#recorder.hasRoomForMany;
  }

  /**
   * Evaluates one call: immediately where there is nothing to wait for.
   *
   * @param requestId - @default a fresh UUID
   * @param form - left out in process, where nothing is written. A call that has one may come from outside, so a value that is
   *   nested too deeply is refused first
   * @param chosenAtMs - by the machine's clock. @default now
   */
  run<Output>(
    origin: Origin,
    choice: Choice<Output>,
    input: unknown,
    requestId: string | undefined,
    form?: Form,
    chosenAtMs?: number,
  ): Awaitable<Run<Output>> {
    const run = this.#begin(origin, choice, input, requestId, chosenAtMs);
    this.#admit(run);
    if (this.#hooks !== undefined) return this.#runWithHooks(run, form, this.#hooks);
    this.#conclude(run, form);
    if (run.error !== undefined) this.#reporter.logFault(run, run.error);
    return this.#end(run);
  }

  /** Counts and reports a call that failed before it could be evaluated, in a host's own callback. */
  async fail<Output>(
    origin: Origin,
    choice: Choice<Output>,
    input: unknown,
    requestId: string,
    thrown: unknown,
  ): Promise<Run<Output>> {
    const run = this.#begin(origin, choice, input, requestId);
    const cause = readable(thrown);
    const error = ownError(cause) ?? new DecernError("INTERNAL_ERROR", { cause });
    run.aborted = { thrown: error };
    this.#admit(run);
    this.#conclude(run, undefined);
    // It may reject before anybody waits for it, here and while a hook runs.
    ignoreRejection(run.recorded);
    await this.report(run, error);
    // Not a failure of a callback: every host replies to it in the same way.
    if (error.code !== "PROFILES_NOT_LOADED") run.hostError = { thrown: maskedError(thrown) };
    return this.#end(run);
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  report(told: Told, thrown: unknown): Promise<void> {
    return this.#reporter.report(told, thrown);
  }

  #begin<Output>(
    origin: Origin,
    choice: Choice<Output>,
    input: unknown,
    requestId: string | undefined,
    chosenAtMs?: number,
  ): Run<Output> {
    const startedMs = this.#time.start();
    let run: Run<Output>;
    try {
      run = new Run(origin, choice, input, requestId, startedMs, this.#time.instant(chosenAtMs));
    } catch (thrown) {
      // It has failed already, and must still be reported.
      run = new Run(origin, choice, input, requestId, startedMs, systemClock.now());
      run.aborted = { thrown };
    }
    if (this.#tracers.length > 0) run.traces = startTraces(this.#tracers, run, this.#observerFailed);
    return run;
  }

  /** Makes room for its record, and aborts it where there is none. */
  #admit(run: Run): void {
    if (this.#recorder === undefined) return;
    if (this.#recorder.admit()) run.recorder = this.#recorder;
    // What has failed already stays as it is.
    else run.aborted ??= { thrown: new DecernError("RECORD_UNAVAILABLE") };
  }

  /** Waits for hooks here, without an `async` function for each step: a promise costs as much as a small evaluation. */
  async #runWithHooks<Output>(run: Run<Output>, form: Form | undefined, hooks: Hooks): Promise<Run<Output>> {
    if (hooks.beforeEvaluate !== undefined && run.aborted === undefined) {
      try {
        // A copy: what a hook assigns counts only when it returns it.
        const profile = new LazyCopy(run.profile);
        let patch = callBefore(hooks, run, profile);
        if (isThenable(patch)) {
          const settlement = new Settlement(patch);
          await oneTurn;
          patch =
            settlement.value === undefined
              ? await settlement.within("beforeEvaluate", this.hookTimeoutMs)
              : settlement.value.value;
        }
        run.apply(patch, profile);
      } catch (thrown) {
        run.aborted = { thrown };
      }
    }
    this.#conclude(run, form);
    ignoreRejection(run.recorded);
    const { error, result } = run;
    if (error !== undefined) {
      await this.report(run, error);
    } else if (result?.status === "OK" && hooks.afterEvaluate !== undefined) {
      try {
        const returned = callAfter(hooks, run, result);
        if (isThenable(returned)) {
          const settlement = new Settlement(returned);
          await oneTurn;
          if (settlement.value === undefined) await settlement.within("afterEvaluate", this.hookTimeoutMs);
        }
      } catch (thrown) {
        await this.report(run, thrown);
      }
    }
    return this.#end(run);
  }

  /** Decides, prepares the shadow, writes, records and tells the observers. Synchronous, with hooks and without. */
  #conclude<Output>(run: Run<Output>, form: Form | undefined): void {
    const { choice, decision, input, givenProfile, scope } = run;
    let seconds: number | undefined;
    try {
      if (run.aborted !== undefined) throw run.aborted.thrown;
      // Hooks read a value as requests do.
      const isGuarded = form !== undefined || this.#hooks !== undefined;
      const compiled = decision[program];
      const refusal = isGuarded ? compiled.refuseNesting(input, givenProfile, scope) : undefined;
      const result = refusal ?? compiled.evaluate(input, givenProfile, scope);
      if (result.status === "INVALID_PROFILE" && run.profileFrom === "host") {
        const detail = `the host's profile for decision "${decision.id}" breaks its schema`;
        throw new DecernError("INVALID_HOST_PROFILE", { detail, problems: result.errors });
      }
      seconds = this.#time.since(run.startedMs);
      // Before the text: the reply has the id of its record.
      run.ticket = run.recorder?.choose(decision.id, result.status);
      if (choice.shadow !== undefined && this.#shadows) this.#prepareShadow(choice.shadow, run, result);
      if (form !== undefined) run.text = form(result, run);
      run.result = result;
    } catch (thrown) {
      seconds ??= this.#time.since(run.startedMs);
      run.fail(thrown, form);
    }
    run.durationSeconds = seconds;
    if (run.ticket !== undefined) run.recorded = run.recorder?.record(run.ticket, run);
    if (this.#observers.length > 0) this.#notify(run);
  }

  #notify(run: Run): void {
    notifyObservers(
      this.#observers,
      (observer) => observer.onEvaluated(new EvaluationRecord(run, run.durationSeconds)),
      (thrown) => this.#observerFailed(run, thrown),
    );
  }

  readonly #observerFailed = (run: Run, thrown: unknown): void =>
    this.#reporter.log(run, readable(thrown), "An observer failed");

  /** Its hooks have ended too. */
  #end<Output>(run: Run<Output>): Awaitable<Run<Output>> {
    run.traces?.end(() => new EvaluationRecord(run, run.durationSeconds));
    // An `async` function would make one more promise for each reply.
    return (
      run.recorded?.then(
        () => run,
        (thrown: unknown) => this.#notRecorded(run, thrown),
      ) ?? run
    );
  }

  /** A result that is not on record does not leave; an error does, without a record id. */
  async #notRecorded<Output>(run: Run<Output>, thrown: unknown): Promise<Run<Output>> {
    run.ticket = undefined;
    if (run.error !== undefined) return run;
    const error = toFault(thrown, "the decision log");
    await this.report(run, error);
    run.replaceBy(error);
    return run;
  }

  /** Nothing that fails here reaches the evaluation. */
  #prepareShadow(shadow: ShadowChoice, run: Run, result: Result): void {
    try {
      const { logger } = this.#reporter;
      const watchers = { observers: this.#observers, logger, time: this.#time, recorder: this.#recorder };
      run.afterwards = prepareShadow(shadow, run, result, watchers);
    } catch (thrown) {
      this.#reporter.log(run, readable(thrown), "A shadow evaluation failed");
    }
  }
}
