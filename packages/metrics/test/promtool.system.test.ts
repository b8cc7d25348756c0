import { describe, expect, it } from "vitest";
import { MetricsCollector, workerMetrics } from "../src/index.js";
import { evaluatorWith, loan, nested, recordingLogger, zoo } from "./fixtures.js";
import { promtool, throughPrometheus } from "./promtool.js";
import { sharedPage } from "./shared-page.js";

async function filled(): Promise<MetricsCollector> {
  const collector = new MetricsCollector({ logger: recordingLogger() });
  const evaluator = evaluatorWith(collector.observer);
  for (const score of [400, 700, 800, 5000]) await evaluator.evaluate(loan, { input: { score } });
  await evaluator.evaluate(loan, { input: {} as unknown });
  for (const value of [...zoo, "\ud800"]) {
    collector.increment("zoo_total", { value, other: "x" }, 2);
    collector.observe("zoo_seconds", { value }, 0.3);
  }
  collector.increment("plain_total");
  collector.observe("plain_seconds", {}, 99);
  return collector;
}

describe("Prometheus's own tool", () => {
  it("accepts the text format with a variety of labels", async () => {
    const page = (await filled()).toPrometheus();
    expect(promtool(["check", "metrics"], page)).toEqual({ code: 0, output: "" });
  });

  it("accepts the page before the first evaluation, and beyond the limit", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    expect(promtool(["check", "metrics"], collector.toPrometheus())).toEqual({ code: 0, output: "" });
    for (const value of zoo) collector.increment("zoo_total", { value });
    expect(promtool(["check", "metrics"], collector.toPrometheus())).toEqual({ code: 0, output: "" });
  });

  it("accepts the page of a host that uses versions, shadows, watched profiles, a decision log and decisions that use others", async () => {
    const logger = recordingLogger();
    const collector = new MetricsCollector({
      versionLabel: true,
      processMetrics: true,
      build: "4f2a",
      logger,
    });
    await evaluatorWith(collector.observer).evaluate(nested, { input: { score: 700 } });
    collector.observer.onProfilesLoaded?.({ outcome: "loaded", revision: "1" });
    collector.observer.onRecorded?.({ outcome: "written", count: 12 });
    collector.observer.onReplied?.({ route: "/decisions/:id", method: "POST", status: 503, count: 1 });
    expect(promtool(["check", "metrics"], collector.toPrometheus())).toEqual({ code: 0, output: "" });
    const stored = throughPrometheus(collector.render("application/openmetrics-text").body);
    expect(stored).toContain(
      '{__name__="engine_evaluations_total", decision_id="nested", decision_version="1.0.0", status="OK"} 1 1700000000000',
    );
    expect(stored).toContain(
      '{__name__="engine_used_evaluations_total", decision_id="loan", status="OK"} 2 1700000000000',
    );
    expect(stored).toContain(
      '{__name__="engine_http_replies_total", method="POST", route="/decisions/:id", status="503"} 1 1700000000000',
    );
    expect(stored).toContainEqual(
      expect.stringMatching(/^\{__name__="decern_build_info", build="4f2a", .*\} 1 /),
    );
    expect(stored).toContain('{__name__="engine_profile_loads_total", outcome="loaded"} 1 1700000000000');
    expect(stored).toContain('{__name__="engine_log_records_total", outcome="written"} 12 1700000000000');
  });

  it("accepts the page of a worker, in both formats", async () => {
    const collector = new MetricsCollector();
    const backlog = async () => ({ items: 12, dead: 1, oldestSeconds: 3.5 });
    const bulk = workerMetrics({ collector, decision: loan, source: { backlog } });
    const counts = { OK: 3, NO_MATCH: 0, INVALID_INPUT: 1, INVALID_JSON: 0, ERROR: 0 };
    bulk.observer.onCommitted?.({ counts, seconds: 0.25 });
    bulk.observer.onFailure?.(new Error("gone"));
    await bulk.refresh();
    expect(promtool(["check", "metrics"], collector.toPrometheus())).toEqual({ code: 0, output: "" });
    const stored = throughPrometheus(collector.render("application/openmetrics-text").body);
    for (const sample of [
      '{__name__="engine_bulk_items_total", decision_id="loan", status="INVALID_INPUT"} 1',
      '{__name__="engine_bulk_failures_total", decision_id="loan"} 1',
      '{__name__="engine_bulk_backlog_items", decision_id="loan"} 12',
      '{__name__="engine_bulk_dead_items", decision_id="loan"} 1',
      '{__name__="engine_bulk_oldest_seconds", decision_id="loan"} 3.5',
    ]) {
      expect(stored).toContain(`${sample} 1700000000000`);
    }
  });

  it("accepts a page shared with prom-client", async () => {
    expect(promtool(["check", "metrics"], await sharedPage())).toEqual({ code: 0, output: "" });
  });

  it("refuses a page with an unescaped quote, so the checks are effective", async () => {
    const page = (await filled()).toPrometheus().replace('\\"', '"');
    expect(promtool(["check", "metrics"], page).code).toBe(1);
  });

  it("imports the OpenMetrics page into a database unchanged", async () => {
    const collector = await filled();
    const stored = throughPrometheus(collector.render("application/openmetrics-text").body);
    const values = (prefix: string): readonly string[] =>
      stored.filter((line) => line.startsWith(prefix)).map((line) => line.split(" ").at(-2) ?? "");
    const distinct = zoo.length + 1;
    expect(values('{__name__="zoo_total"')).toEqual(new Array(distinct).fill("2"));
    expect(values('{__name__="zoo_seconds_count"')).toEqual(new Array(distinct).fill("1"));
    expect(values('{__name__="zoo_seconds_bucket", le="0.25"')).toEqual(new Array(distinct).fill("0"));
    expect(values('{__name__="zoo_seconds_bucket", le="0.5"')).toEqual(new Array(distinct).fill("1"));
    expect(stored).toContain(
      '{__name__="engine_evaluations_total", decision_id="loan", status="OK"} 3 1700000000000',
    );
    expect(stored).toContain('{__name__="plain_seconds_sum"} 99 1700000000000');
    expect(stored).toContain('{__name__="zoo_total", other="x", value="grüße, 漢字, 🎉"} 2 1700000000000');
    expect(stored).toContain('{__name__="zoo_total", other="x", value="back\\\\slash"} 2 1700000000000');
  });
});
