import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { DecernError, type Decision, type DecisionSource, type SourceLoad } from "@decern/core";
import { decisionRows } from "@decern/core/host";
import {
  type Checked,
  checkedOptions,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { isDecision, neverThrowing, readable } from "@decern/core/tools";
import type { BulkResult, BulkSource, BulkStatus, TakenBatch, WorkerObserver } from "../items/bulk-source.js";
import {
  addCounts,
  countStatuses,
  itemsOf,
  noCounts,
  type StatusCounts,
} from "../items/counts-and-faults.js";
import {
  type ItemOptions,
  itemEvaluator,
  itemRows,
  type LiveItems,
  liveItems,
  signalKind,
} from "../items/item-options.js";

const observerRows = {
  onCommitted: option(kinds.callback<NonNullable<WorkerObserver["onCommitted"]>>()),
  onFailure: option(kinds.callback<NonNullable<WorkerObserver["onFailure"]>>()),
  onDecisionsLoaded: option(kinds.callback<NonNullable<WorkerObserver["onDecisionsLoaded"]>>()),
} satisfies RowsOf<WorkerObserver>;

const workerRows = {
  /** Where inputs are taken from, and results committed. */
  source: requiredOption(kinds.withMethods<BulkSource>("take")),
  /** Inputs that are taken together, at most. @default 1000 */
  maxItems: option(kinds.wholeNumber, 1000),
  /** Batches that are processed alongside each other: while one is written, another is evaluated. @default 2 */
  lanes: option(kinds.wholeNumber, 2),
  /** Stops the worker: its batches are evaluated and committed, and no more are taken. */
  signal: option(signalKind),
  /** Pause while the source is empty, in milliseconds. @default 500 */
  idleMs: option(kinds.wholeNumber, 500),
  /** Receives errors of the decision, and of takes and commits. @default the console */
  logger: option(kinds.logger),
  /** Called after each commit and each failure, such as for metrics. */
  observer: option(kinds.group(observerRows), {}),
  /** @default the system clock */
  clock: decisionRows.clock,
};

/** Options of `runWorker`. */
export interface WorkerOptions<D extends Decision = Decision>
  extends Omit<ItemOptions<D>, "decision">,
    OptionsOf<typeof workerRows> {
  /** Or `watchDecisions(…)` of `@decern/watch` with one contract: a batch is evaluated with one set. */
  readonly decision: D | DecisionSource<D>;
}

const rows = {
  ...itemRows,
  ...workerRows,
  decision: decisionRows.decision,
} satisfies RowsOf<WorkerOptions>;

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

/** Waits longer after each error, until something succeeds. */
class BackOff {
  #nextMs = firstMs;

  async wait(signal: AbortSignal): Promise<void> {
    // Workers that lost the same database must not all return at the same instant.
    const waitMs = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, mostMs);
    await pause(waitMs, signal);
  }

  reset(): void {
    this.#nextMs = firstMs;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/**
 * How long a batch is evaluated before it yields the event loop, in milliseconds. A source renews its claim on a batch with timers,
 * and a scraper wants its page: neither may wait until a whole batch is evaluated. An evaluation is never interrupted.
 */
const sliceMs = 10;

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
  const worker = new Worker(checkedOptions("runWorker", options, rows));
  return await worker.run();
}

class Worker {
  readonly #options: Checked<typeof rows>;
  readonly #signal: AbortSignal;
  readonly #logger;
  readonly #items: LiveItems;
  readonly #counts: StatusCounts = { ...noCounts };
  #batches = 0;
  #failures = 0;
  #hasEnded = false;

  constructor(options: Checked<typeof rows>) {
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    const logger = neverThrowing(options.logger);
    this.#logger = logger;
    const onFault = (error: unknown, position: string): void =>
      logger.error({ err: readable(error), position }, "The decision failed for an input");
    const { decision, profiles, emit } = options;
    if (isDecision(decision)) {
      const fixed = itemEvaluator({ decision, profiles, emit }, "position", undefined, onFault);
      this.#items = { current: () => fixed, stop: async () => {} };
    } else {
      const observers = [{ onEvaluated() {}, onDecisionsLoaded: this.#onDecisionsLoaded }];
      this.#items = liveItems(decision, { profiles, emit }, onFault, { logger, observers });
    }
  }

  readonly #onDecisionsLoaded = (load: SourceLoad): void => this.#options.observer?.onDecisionsLoaded?.(load);

  async run(): Promise<WorkerSummary> {
    try {
      await Promise.all(Array.from({ length: this.#options.lanes }, () => this.#lane()));
    } finally {
      await this.#items.stop();
    }
    const items = itemsOf(this.#counts);
    return { items, counts: this.#counts, batches: this.#batches, failures: this.#failures };
  }

  async #lane(): Promise<void> {
    const backOff = new BackOff();
    while (!this.#hasEnded && !this.#signal.aborted) {
      try {
        if (this.#items.current() === undefined) {
          await pause(this.#options.idleMs, this.#signal);
          continue;
        }
        const batch = await this.#options.source.take(this.#options.maxItems, this.#signal);
        if (batch === undefined) this.#hasEnded = true;
        else if (batch.items.length === 0) await this.#rest(batch);
        else await this.#answer(batch);
        backOff.reset();
      } catch (thrown) {
        this.#failures += 1;
        this.#logger.error({ err: readable(thrown) }, "Bulk work failed and will be retried");
        this.#tell(() => this.#options.observer?.onFailure?.(thrown));
        await backOff.wait(this.#signal);
      }
    }
  }

  async #rest(batch: TakenBatch): Promise<void> {
    await batch.release();
    await pause(this.#options.idleMs, this.#signal);
  }

  async #answer(batch: TakenBatch): Promise<void> {
    const beganMs = this.#options.clock.monotonic();
    const epochMs = batch.epochMs ?? this.#options.clock.now();
    const results = await this.#evaluate(batch, epochMs);
    try {
      await batch.commit(results);
    } catch (thrown) {
      // A batch that is not released times out and goes to another worker. The error of the commit matters more.
      await batch.release().catch(() => {});
      throw thrown;
    }
    const counts = countStatuses(results);
    addCounts(this.#counts, counts);
    this.#batches += 1;
    const seconds = (this.#options.clock.monotonic() - beganMs) / 1000;
    this.#tell(() => this.#options.observer?.onCommitted?.({ counts, seconds }));
  }

  async #evaluate({ items }: TakenBatch, epochMs: number): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = [];
    // One for the whole batch.
    const evaluator = this.#items.current();
    if (evaluator === undefined) throw new DecernError("DECISIONS_NOT_LOADED");
    let endMs = performance.now() + sliceMs;
    for (const item of items) {
      if (performance.now() >= endMs) {
        await nextTurn();
        endMs = performance.now() + sliceMs;
      }
      results.push(evaluator.evaluate(item, epochMs));
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
