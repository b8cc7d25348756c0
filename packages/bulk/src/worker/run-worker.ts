import type { BulkResult, BulkSource, Decision, TakenBatch, WorkerObserver } from "@decern/core";
import { evaluatorOptionKinds } from "@decern/core/host";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionTable,
  optionKinds,
  readable,
  systemClock,
} from "@decern/core/tools";
import type { ItemEvaluator } from "../item-evaluator.js";
import { itemEvaluator, itemOptionKinds } from "../item-options.js";
import { addCounts, countStatuses, itemsOf, noCounts, type StatusCounts } from "../status-counts.js";
import { BackOff, pause } from "./back-off.js";
import { Slice } from "./slice.js";
import type { WorkerOptions, WorkerSummary } from "./worker-options.js";

const { withMethods, wholeNumber, callback, group } = optionKinds;

const observerKinds: OptionTable<WorkerObserver> = { onCommitted: callback, onFailure: callback };

const kinds: OptionTable<WorkerOptions> = {
  ...itemOptionKinds,
  source: withMethods("take"),
  maxItems: wholeNumber,
  lanes: wholeNumber,
  idleMs: wholeNumber,
  observer: group(observerKinds),
  clock: evaluatorOptionKinds.clock,
};

/**
 * Takes inputs from a source, evaluates them, and commits their results, until the source has ended or `signal` is aborted. A take
 * or a commit that fails is logged and retried, at growing intervals, so a worker survives its database. Several workers may share
 * a source.
 *
 * @returns what it did
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem
 *
 * @example
 * ```ts
 * const stop = new AbortController();
 * process.once("SIGTERM", () => stop.abort());
 * const { items } = await runWorker({ decision: loanApproval, source, signal: stop.signal });
 * ```
 */
export async function runWorker<D extends Decision>(options: WorkerOptions<D>): Promise<WorkerSummary> {
  checkOptions<WorkerOptions>("runWorker", options, { kinds, required: ["decision", "source"] });
  const worker = new Worker(options);
  return await worker.run();
}

class Worker {
  readonly #source: BulkSource;
  readonly #maxItems: number;
  readonly #lanes: number;
  readonly #idleMs: number;
  readonly #signal: AbortSignal;
  readonly #clock;
  readonly #logger;
  readonly #observer: WorkerObserver;
  readonly #evaluator: ItemEvaluator;
  readonly #counts: StatusCounts = { ...noCounts };
  #batches = 0;
  #failures = 0;
  #hasEnded = false;

  constructor(options: WorkerOptions) {
    const { source, maxItems = 1000, lanes = 2, idleMs = 500 } = options;
    this.#source = source;
    this.#maxItems = maxItems;
    this.#lanes = lanes;
    this.#idleMs = idleMs;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#clock = options.clock ?? systemClock;
    const logger = neverThrowing(options.logger ?? consoleLogger);
    this.#logger = logger;
    this.#observer = options.observer ?? {};
    this.#evaluator = itemEvaluator(options, {
      place: "position",
      onFault: (error, position) =>
        logger.error({ err: readable(error), position }, "The decision failed for an input"),
    });
  }

  async run(): Promise<WorkerSummary> {
    await Promise.all(Array.from({ length: this.#lanes }, () => this.#lane()));
    const items = itemsOf(this.#counts);
    return { items, counts: this.#counts, batches: this.#batches, failures: this.#failures };
  }

  async #lane(): Promise<void> {
    const backOff = new BackOff();
    while (!this.#hasEnded && !this.#signal.aborted) {
      try {
        const batch = await this.#source.take(this.#maxItems, this.#signal);
        if (batch === undefined) this.#hasEnded = true;
        else if (batch.items.length === 0) await this.#rest(batch);
        else await this.#answer(batch);
        backOff.reset();
      } catch (thrown) {
        this.#failures += 1;
        this.#logger.error({ err: readable(thrown) }, "Bulk work failed and will be retried");
        this.#tell(() => this.#observer.onFailure?.(thrown));
        await backOff.wait(this.#signal);
      }
    }
  }

  async #rest(batch: TakenBatch): Promise<void> {
    await batch.release();
    await pause(this.#idleMs, this.#signal);
  }

  async #answer(batch: TakenBatch): Promise<void> {
    const beganMs = this.#clock.monotonic();
    const epochMs = batch.epochMs ?? this.#clock.now();
    const results = await this.#evaluate(batch, epochMs);
    try {
      await batch.commit(results);
    } catch (thrown) {
      // A batch that is not released times out and goes to another worker; the error of the commit matters more.
      await batch.release().catch(() => {});
      throw thrown;
    }
    const counts = countStatuses(results);
    addCounts(this.#counts, counts);
    this.#batches += 1;
    const seconds = (this.#clock.monotonic() - beganMs) / 1000;
    this.#tell(() => this.#observer.onCommitted?.({ counts, seconds }));
  }

  async #evaluate({ items }: TakenBatch, epochMs: number): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = [];
    const slice = new Slice();
    for (const item of items) {
      if (slice.isOver) await slice.renew();
      results.push(this.#evaluator.evaluate(item, epochMs));
    }
    return results;
  }

  /** A failing observer has no effect on the worker. */
  #tell(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      this.#logger.error({ err: readable(thrown) }, "The worker's observer failed");
    }
  }
}
