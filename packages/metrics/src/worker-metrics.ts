import type { Decision, Logger } from "@decern/core";
import { decisionOptionKinds } from "@decern/core/host";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionTable,
  optionKinds,
  readable,
  withDeadline,
} from "@decern/core/tools";
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
}

/** Options of `workerMetrics`. */
export interface WorkerMetricsOptions {
  /** Receives the figures. */
  readonly collector: MetricsCollector;
  /** The worker's decision: its id is the label `decision_id`. */
  readonly decision: Decision;
  /** The worker's source, if it can count what waits. */
  readonly source?: { backlog?(): Promise<WorkerBacklog> } | undefined;
  /** How long `refresh` waits for the source, in milliseconds. @default 5000 */
  readonly timeoutMs?: number | undefined;
  /** Called when reading the backlog fails. @default the console */
  readonly logger?: Logger | undefined;
}

/** Metrics of one worker. */
export interface WorkerMetrics {
  /** For `observer` of `runWorker`. */
  readonly observer: WorkerEvents;
  /** Reads the backlog. Call it before the page is rendered. It never rejects. */
  refresh(): Promise<void>;
}

const statuses: readonly BulkStatus[] = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_JSON", "ERROR"];

const { object, withMethods, wholeNumber } = optionKinds;

const kinds: OptionTable<WorkerMetricsOptions> = {
  collector: withMethods("increment", "observe", "set"),
  decision: decisionOptionKinds.decision,
  source: object,
  timeoutMs: wholeNumber,
  logger: withMethods("error"),
};

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
  checkOptions("workerMetrics", options, { kinds, required: ["collector", "decision"] });
  const { collector, decision, source, timeoutMs = 5000 } = options;
  const logger = neverThrowing(options.logger ?? consoleLogger);
  const labels = { decision_id: decision.id };
  // Zeros from the start, so that the first failure is an increase.
  collector.increment(bulkMetrics.failures.name, labels, 0);
  for (const status of statuses) collector.increment(bulkMetrics.items.name, { ...labels, status }, 0);

  const read = async (): Promise<void> => {
    try {
      const backlog = await withDeadline("backlog", timeoutMs, () => source?.backlog?.());
      collector.set(bulkMetrics.backlog.name, labels, backlog?.items);
      collector.set(bulkMetrics.dead.name, labels, backlog?.dead);
      collector.set(bulkMetrics.oldest.name, labels, backlog?.oldestSeconds);
    } catch (thrown) {
      // An old figure must not pass for a current one.
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
    },
    refresh() {
      // Two scrapers at the same time share one read.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
