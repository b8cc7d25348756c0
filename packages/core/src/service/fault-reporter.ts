import { withDeadline } from "../base/awaitable.js";
import { type Logger, neverThrowing } from "../base/logger.js";
import { copyError, isRefusal, ownError, readable } from "../base/thrown.js";
import { createContext, type Told } from "./hook-context.js";
import type { Hooks } from "./hooks.js";

/** Tells the log and `onError` about errors. */
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

  /** Logs an error. A refusal concerns only the caller, and is not logged. */
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
