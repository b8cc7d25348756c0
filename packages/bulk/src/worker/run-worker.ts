import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Clock, Decision, Logger } from "@decern/core";
import { evaluatorRows } from "@decern/core/host";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionTable,
  optionKinds,
  readable,
  systemClock,
} from "@decern/core/tools";
import type { BulkResult, BulkSource, BulkStatus, TakenBatch, WorkerObserver } from "../items/bulk-source.js";
import {
  addCounts,
  countStatuses,
  itemsOf,
  noCounts,
  type StatusCounts,
} from "../items/counts-and-faults.js";
import type { ItemEvaluator } from "../items/item-evaluator.js";
import { type ItemOptions, itemEvaluator, itemOptionKinds } from "../items/item-options.js";

/** Options of `runWorker`. */
export interface WorkerOptions<D extends Decision = Decision> extends ItemOptions<D> {
  readonly source: BulkSource;
  /** Most inputs that are taken at a time. @default 1000 */
  readonly maxItems?: number | undefined;
  /** How many batches are taken, evaluated and committed side by side: while one is written, another is evaluated. @default 2 */
  readonly lanes?: number | undefined;
  /** Stops the worker: batches that it has are evaluated and committed, and no more are taken. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait where there is nothing to take, in milliseconds. @default 500 */
  readonly idleMs?: number | undefined;
  /** Called with errors of the decision, and of takes and commits that failed. @default the console */
  readonly logger?: Logger | undefined;
  /** Told of what happened, such as for metrics. */
  readonly observer?: WorkerObserver | undefined;
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
}

/** What a worker did. */
export interface WorkerSummary {
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
  readonly batches: number;
  /** Takes and commits that failed. */
  readonly failures: number;
}

const firstMs = 100;
const mostMs = 10_000;

/** How long to wait after something failed: longer each time, until something succeeds. */
class BackOff {
  #nextMs = firstMs;

  /** Resolves once it is time to try again, or `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    // Workers that lost the same database must not all come back at the same instant.
    const waitMs = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, mostMs);
    await pause(waitMs, signal);
  }

  reset(): void {
    this.#nextMs = firstMs;
  }
}

/** Resolves after `ms` milliseconds, or once `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** How long a batch may be evaluated before it yields the event loop, in milliseconds. One evaluation is never interrupted. */
const sliceMs = 10;

/**
 * Time to work in. A source renews its claim on a batch with timers, and a scraper wants its page: neither may wait until a
 * whole batch is evaluated.
 */
class Slice {
  #endMs = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Yields the event loop, then starts a new slice. */
  async renew(): Promise<void> {
    await nextTurn();
    this.#endMs = performance.now() + sliceMs;
  }
}

const { withMethods, wholeNumber, callback, group } = optionKinds;

const observerKinds: OptionTable<WorkerObserver> = { onCommitted: callback, onFailure: callback };

const kinds: OptionTable<WorkerOptions> = {
  ...itemOptionKinds,
  source: withMethods("take"),
  maxItems: wholeNumber,
  lanes: wholeNumber,
  idleMs: wholeNumber,
  observer: group(observerKinds),
  clock: evaluatorRows.clock.kind,
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
