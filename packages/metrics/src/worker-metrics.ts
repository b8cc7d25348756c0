import type { Logger, SourceLoad } from "@decern/core";
import { decisionRows } from "@decern/core/host";
import { checkedOptions, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { isDecision, neverThrowing, readable, withDeadline } from "@decern/core/tools";
import type { MetricsCollector } from "./metrics.js";
import { bulkMetrics } from "./registry/names.js";

// The shape of the port of `@decern/bulk`, so that a service without workers need not install that.
type BulkStatus = "OK" | "NO_MATCH" | "INVALID_INPUT" | "INVALID_JSON" | "ERROR";

/** The backlog of a worker's source. */
export interface WorkerBacklog {
  readonly items: number;
  readonly dead: number;
  readonly oldestSeconds: number | undefined;
}

/** What a worker of `@decern/bulk` calls. */
interface WorkerEvents {
  onCommitted(batch: {
    readonly counts: Readonly<Record<BulkStatus, number>>;
    readonly seconds: number;
  }): void;
  onFailure(error: unknown): void;
  onDecisionsLoaded(load: SourceLoad): void;
}

const rows = {
  /** Receives the figures. */
  collector: requiredOption(kinds.withMethods<MetricsCollector>("increment", "observe", "set")),
  /** The worker's decision, or its `watchDecisions(…)`. Its id is the label `decision_id`. */
  decision: requiredOption(decisionRows.decision.kind),
  /** The worker's source, if it can count what waits. @default none */
  source: option(kinds.object<{ backlog?(): Promise<WorkerBacklog> }>()),
  /** How long `refresh` waits for the source, in milliseconds. @default 5000 */
  timeoutMs: option(kinds.wholeNumber, 5000),
  /** Receives an error if the source can't count what waits. @default the console */
  logger: option(kinds.withMethods<Logger>("error")),
};

/** Options of `workerMetrics`. */
export interface WorkerMetricsOptions extends OptionsOf<typeof rows> {}

/** Metrics of one worker. */
export interface WorkerMetrics {
  /** For `observer` of `runWorker`. */
  readonly observer: WorkerEvents;
  /** Asks the source what waits. Call it before the page is rendered. It never rejects. */
  refresh(): Promise<void>;
}

const statuses: readonly BulkStatus[] = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_JSON", "ERROR"];

/**
 * Counts what a worker does, and measures what waits in its source.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * const bulk = workerMetrics({ collector: m.collector, decision: loanApproval, source });
 * const running = runWorker({ decision: loanApproval, source, observer: bulk.observer });
 * await bulk.refresh(); // for each scrape
 * const { contentType, body } = m.render(request.headers.accept);
 * ```
 */
export function workerMetrics(options: WorkerMetricsOptions): WorkerMetrics {
  const { collector, decision, source, timeoutMs, ...given } = checkedOptions("workerMetrics", options, rows);
  const logger = neverThrowing(given.logger);
  const ids = isDecision(decision) ? [decision.id] : decision.contracts.flatMap((contract) => contract.ids);
  const labels = { decision_id: ids.join(",") };
  // A worker that has done nothing yet says so, and the first error is an increase.
  collector.increment(bulkMetrics.failures.name, labels, 0);
  for (const status of statuses) collector.increment(bulkMetrics.items.name, { ...labels, status }, 0);

  const read = async (): Promise<void> => {
    try {
      const backlog = await withDeadline("backlog", timeoutMs, () => source?.backlog?.());
      collector.set(bulkMetrics.backlog.name, labels, backlog?.items);
      collector.set(bulkMetrics.dead.name, labels, backlog?.dead);
      collector.set(bulkMetrics.oldest.name, labels, backlog?.oldestSeconds);
    } catch (thrown) {
      // A figure of earlier would pass for one of now.
      for (const { name } of [bulkMetrics.backlog, bulkMetrics.dead, bulkMetrics.oldest]) {
        collector.set(name, labels, undefined);
      }
      logger.error({ err: readable(thrown) }, "The source of a worker cannot say what waits");
    }
  };
  let reading: Promise<void> | undefined;
  return {
    observer: {
      onCommitted({ counts, seconds }) {
        for (const [status, count] of Object.entries(counts)) {
          if (count > 0) collector.increment(bulkMetrics.items.name, { ...labels, status }, count);
        }
        collector.observe(bulkMetrics.batchDuration.name, labels, seconds);
      },
      onFailure() {
        collector.increment(bulkMetrics.failures.name, labels);
      },
      onDecisionsLoaded: (load) => collector.observer.onDecisionsLoaded?.(load),
    },
    refresh() {
      // Two scrapers at the same time ask once.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
