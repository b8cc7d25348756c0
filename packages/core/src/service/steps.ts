import { ignoreRejection, withDeadline } from "../base/awaitable.js";
import { LazyCopy } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { type Logger, neverThrowing } from "../base/logger.js";
import { copyError, isRefusal, ownError, readable, toFault } from "../base/thrown.js";
import { copyOkResult, type OkResult } from "../decision/result.js";
import type { Encoder, Evaluation } from "./evaluation.js";
import { createContext, type Told } from "./hook-context.js";
import type { Hooks } from "./hooks.js";
import type { Recorder, RecordStatus } from "./records.js";

/** Calls the hooks around an evaluation, each with copies of its own. */
export class HookSteps {
  readonly #hooks: Hooks;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  get hasBefore(): boolean {
    return this.#hooks.beforeEvaluate !== undefined;
  }

  before(evaluation: Evaluation, profile: LazyCopy): unknown {
    const context = createContext(evaluation, new LazyCopy(evaluation.input), profile);
    const { traces } = evaluation;
    if (traces === undefined) return this.#hooks.beforeEvaluate?.(context);
    return traces.hook("beforeEvaluate", () => this.#hooks.beforeEvaluate?.(context));
  }

  after(evaluation: Evaluation, result: OkResult): unknown {
    if (this.#hooks.afterEvaluate === undefined) return undefined;
    const context = createContext(evaluation);
    const copy = copyOkResult(result);
    const { traces } = evaluation;
    if (traces === undefined) return this.#hooks.afterEvaluate(context, copy);
    return traces.hook("afterEvaluate", () => this.#hooks.afterEvaluate?.(context, copy));
  }
}

/** Makes room for the record of an evaluation, and aborts the evaluation where there is none. */
export function admit(evaluation: Evaluation, recorder: Recorder | undefined): void {
  if (recorder === undefined) return;
  if (recorder.admit()) evaluation.recorder = recorder;
  // What has failed already stays as it is.
  else evaluation.aborted ??= { thrown: new DecernError("RECORD_UNAVAILABLE") };
}

/** Decides whether an evaluation is recorded, before its outcome is encoded: the reply has the id of the record. */
export function choose(evaluation: Evaluation, status: RecordStatus): void {
  evaluation.ticket = evaluation.recorder?.choose(evaluation.decision.id, status);
}

/** Records an evaluation that ended. */
export function keep(evaluation: Evaluation): void {
  const { recorder, ticket } = evaluation;
  if (recorder === undefined || ticket === undefined) return;
  evaluation.recorded = recorder.record(ticket, evaluation);
  // It may reject while a hook runs, before anybody waits for it.
  ignoreRejection(evaluation.recorded);
}

/**
 * Waits for the record of an evaluation. An outcome that is not on record does not leave; a fault does, without a record id.
 *
 * @param report - told of what made the record fail, unless the evaluation had failed anyway
 */
export async function onceRecorded<Output, Ended>(
  evaluation: Evaluation,
  ended: Ended,
  encoder: Encoder<Output, Ended>,
  report: (error: DecernError) => Promise<void>,
): Promise<Ended> {
  try {
    await evaluation.recorded;
    return ended;
  } catch (thrown) {
    evaluation.ticket = undefined;
    if (evaluation.error !== undefined) return encoder.fault(evaluation.error, evaluation);
    const error = toFault(thrown, "the decision log");
    await report(error);
    return encoder.fault(error, evaluation);
  }
}

/** Tells the log and `onError` about faults. */
export class FaultReporter {
  /** It never throws. */
  readonly logger: Required<Logger>;
  readonly #hooks: Hooks | undefined;
  readonly #timeoutMs: number;

  constructor(logger: Logger, hooks: Hooks | undefined, timeoutMs: number) {
    this.logger = neverThrowing(logger);
    this.#hooks = hooks;
    this.#timeoutMs = timeoutMs;
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  async report(told: Told, thrown: unknown): Promise<void> {
    const error = readable(thrown);
    const mine = ownError(error);
    this.logFault(told, error);
    const hooks = this.#hooks;
    const onError = hooks?.onError;
    if (onError === undefined) return;
    const own = mine === undefined ? error : copyError(mine);
    const shown = mine?.cause === undefined ? own : mine.cause;
    try {
      const call = () => onError.call(hooks, createContext(told), shown);
      const { traces } = told;
      await withDeadline("onError", this.#timeoutMs, () =>
        traces === undefined ? call() : traces.hook("onError", call),
      );
    } catch (failure) {
      this.log(told, readable(failure), "onError failed");
    }
  }

  /** Logs a fault. A refusal concerns only the caller, and is not logged. */
  logFault(told: Told, error: unknown): void {
    const mine = ownError(error);
    // The decision log reports its outage itself, once. A line for each call would bury everything else.
    if (mine?.code === "RECORD_UNAVAILABLE") return;
    if (mine === undefined || !isRefusal(mine)) this.log(told, error, "Evaluation failed");
  }

  log({ decisionId, requestId, traces }: Told, error: unknown, message: string): void {
    const mine = ownError(error);
    const err = mine === undefined ? error : copyError(mine);
    this.logger.error({ err, decisionId, requestId, ...traces?.ids }, message);
  }
}
