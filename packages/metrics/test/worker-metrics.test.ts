import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { MetricsCollector, workerMetrics } from "../src/index.js";
import type { WorkerBacklog } from "../src/worker-metrics.js";
import { loan, recordingLogger } from "./fixtures.js";

const counts = { OK: 3, NO_MATCH: 0, INVALID_INPUT: 1, INVALID_JSON: 0, ERROR: 0 };
const bulkLines = (collector: MetricsCollector) =>
  collector
    .toPrometheus()
    .split("\n")
    .filter((line) => line.startsWith("engine_bulk_") && !line.includes("_bucket"));

describe("workerMetrics", () => {
  it("says nothing about workers where there are none", () => {
    expect(new MetricsCollector().toPrometheus()).not.toContain("engine_bulk");
  });

  it("counts what a worker does, and measures what waits", async () => {
    const collector = new MetricsCollector();
    const backlog: WorkerBacklog = { items: 12, dead: 1, oldestSeconds: 3.5 };
    const bulk = workerMetrics({ collector, decision: loan, source: { backlog: async () => backlog } });
    bulk.observer.onCommitted?.({ counts, seconds: 0.25 });
    bulk.observer.onCommitted?.({ counts, seconds: 0.5 });
    bulk.observer.onFailure?.(new Error("gone"));
    await bulk.refresh();
    expect(bulkLines(collector).toSorted()).toEqual([
      'engine_bulk_backlog_items{decision_id="loan"} 12',
      'engine_bulk_batch_duration_seconds_count{decision_id="loan"} 2',
      'engine_bulk_batch_duration_seconds_sum{decision_id="loan"} 0.75',
      'engine_bulk_dead_items{decision_id="loan"} 1',
      'engine_bulk_failures_total{decision_id="loan"} 1',
      'engine_bulk_items_total{decision_id="loan",status="ERROR"} 0',
      'engine_bulk_items_total{decision_id="loan",status="INVALID_INPUT"} 2',
      'engine_bulk_items_total{decision_id="loan",status="INVALID_JSON"} 0',
      'engine_bulk_items_total{decision_id="loan",status="NO_MATCH"} 0',
      'engine_bulk_items_total{decision_id="loan",status="OK"} 6',
      'engine_bulk_oldest_seconds{decision_id="loan"} 3.5',
    ]);
  });

  it("leaves out what the source cannot say any more, and logs why", async () => {
    const collector = new MetricsCollector();
    const logger = recordingLogger();
    let isDown = false;
    const source = {
      backlog: async () => {
        if (isDown) throw new Error("no database");
        return { items: 1, dead: 0, oldestSeconds: undefined };
      },
    };
    const bulk = workerMetrics({ collector, decision: loan, source, logger });
    await bulk.refresh();
    expect(bulkLines(collector)).toContain('engine_bulk_backlog_items{decision_id="loan"} 1');
    expect(bulkLines(collector).join()).not.toContain("oldest");
    isDown = true;
    await bulk.refresh();
    expect(bulkLines(collector).join()).not.toContain("backlog");
    expect(JSON.stringify(logger)).toContain("cannot say what waits");
  });

  it("does not wait for ever for a source, and asks it once for scrapes at once", async () => {
    const collector = new MetricsCollector();
    let asked = 0;
    const source = {
      backlog: () => {
        asked += 1;
        return new Promise<WorkerBacklog>(() => {});
      },
    };
    const logger = recordingLogger();
    const bulk = workerMetrics({ collector, decision: loan, source, timeoutMs: 1, logger });
    await Promise.all([bulk.refresh(), bulk.refresh()]);
    expect(asked).toBe(1);
  });

  it("refuses wrong options with every problem", () => {
    const wrong: object = { collector: {}, timeoutMs: 0, sources: [] };
    // @ts-expect-error The types refuse it as well.
    expect(() => workerMetrics(wrong)).toThrow(DecernError);
  });
});

describe("gauges", () => {
  it("can be set by the host, and go down", () => {
    const collector = new MetricsCollector();
    collector.set("queue_length", { queue: "a" }, 7);
    collector.set("queue_length", { queue: "a" }, 2);
    expect(collector.toPrometheus()).toContain('# TYPE queue_length gauge\nqueue_length{queue="a"} 2\n');
    expect(collector.render("application/openmetrics-text").body).toContain("# TYPE queue_length gauge\n");
    expect(() => collector.set("queue_length", {}, Number.NaN)).toThrow(/finite/);
    expect(() => collector.increment("queue_length")).toThrow(/is a gauge and cannot be used as a counter/);
    expect(() => collector.set("engine_bulk_items_total", {}, 1)).toThrow(/is a counter/);
  });
});
