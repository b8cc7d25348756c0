import { createEvaluator, defineDecision, type EvaluationObserver } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { documentedFee } from "../../../test/support/documented-fee.js";
import {
  METRIC_EVALUATION_DURATION_SECONDS,
  METRIC_EVALUATIONS_TOTAL,
  METRIC_RULE_MATCHES_TOTAL,
  MetricsCollector,
  metrics,
} from "../src/index.js";
import { evaluatorWith, loan, parseSamples, recordingLogger, sampleLines } from "./fixtures.js";

const inputs = { ok: { score: 700 }, tooLow: { score: 1 }, none: { score: 5000 }, broken: { score: 13 } };

/** A collector's values for the decision `loan`, without zeros. */
function counted(collector: MetricsCollector): Readonly<Record<string, number>> {
  const statuses = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "REFUSED", "ERROR"];
  const entries = [
    ...statuses.map((status) => [
      status,
      collector.getCounter(METRIC_EVALUATIONS_TOTAL, { decision_id: "loan", status }),
    ]),
    ...loan.ruleIds.map((rule_id) => [
      rule_id,
      collector.getCounter(METRIC_RULE_MATCHES_TOTAL, { decision_id: "loan", rule_id }),
    ]),
  ];
  return Object.fromEntries(entries.filter(([, count]) => count !== 0));
}

describe("the observer", () => {
  it("counts a call refused by a hook separately from faults", async () => {
    const collector = new MetricsCollector();
    const refuse = (): never => {
      throw Object.assign(new Error("No quota"), { statusCode: 429 });
    };
    const evaluator = createEvaluator({
      observers: [collector.observer],
      hooks: { beforeEvaluate: refuse },
    });
    await expect(evaluator.evaluate(loan, { input: inputs.ok })).rejects.toThrow("Evaluation refused");
    expect(counted(collector)).toEqual({ REFUSED: 1 });
  });

  it("counts every hit of a decision of logic", async () => {
    const collector = new MetricsCollector();
    const evaluator = evaluatorWith(collector.observer);
    const fee = documentedFee({ light: 5, any: 7 });
    await evaluator.evaluate(fee, { input: { weight: 1 } });
    await evaluator.evaluate(fee, { input: { weight: 20 } });
    const counts = fee.ruleIds.map((rule_id) =>
      collector.getCounter(METRIC_RULE_MATCHES_TOTAL, { decision_id: "fee", rule_id }),
    );
    expect(counts).toEqual([1, 2]);
  });

  it("counts each outcome once, and the matching rule", async () => {
    const collector = new MetricsCollector();
    const evaluator = evaluatorWith(collector.observer);
    await evaluator.evaluate(loan, { input: inputs.ok });
    await evaluator.evaluate(loan, { input: inputs.ok });
    await evaluator.evaluate(loan, { input: inputs.tooLow });
    await evaluator.evaluate(loan, { input: inputs.none });
    await evaluator.evaluate(loan, { input: {} as unknown });
    await evaluator.evaluate(loan, { input: inputs.ok, profile: { minScore: "no" } as unknown });
    expect(() => evaluator.evaluate(loan, { input: inputs.broken })).toThrow("Evaluation failed");
    expect(counted(collector)).toEqual({
      OK: 3,
      NO_MATCH: 1,
      INVALID_INPUT: 1,
      INVALID_PROFILE: 1,
      ERROR: 1,
      "too-low": 1,
      standard: 2,
    });
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "counts an evaluation whose duration is %d, keeps it out of the histogram, and logs that once",
    async (durationSeconds) => {
      const logger = recordingLogger();
      const collector = new MetricsCollector({ logger });
      // Core never reports such a duration, but another host could.
      const wrong: EvaluationObserver = {
        onEvaluated: ({ decision, status, matchedRule, result, error, used, context }) =>
          collector.observer.onEvaluated({
            decision,
            status,
            matchedRule,
            durationSeconds,
            result,
            error,
            used,
            context,
          }),
      };
      const broken = createEvaluator({ observers: [wrong] });
      const whole = evaluatorWith(collector.observer, 2);
      await broken.evaluate(loan, { input: inputs.ok });
      await whole.evaluate(loan, { input: inputs.ok });
      await broken.evaluate(loan, { input: inputs.ok });
      expect(counted(collector)).toMatchObject({ OK: 3 });
      const { sum, count } = collector.getHistogram(METRIC_EVALUATION_DURATION_SECONDS, {
        decision_id: "loan",
      });
      expect(count).toBe(1);
      expect(sum).toBeGreaterThanOrEqual(0);
      expect(sum).toBeLessThan(100);
      expect(logger.lines).toHaveLength(1);
      expect(collector.toPrometheus()).not.toMatch(/NaN|-Inf|\bsum.*\+Inf/);
    },
  );

  it("records durations in seconds, for every outcome", async () => {
    const collector = new MetricsCollector();
    const evaluator = evaluatorWith(collector.observer, 2);
    for (const input of [inputs.ok, inputs.none, {}])
      await evaluator.evaluate(loan, { input: input as unknown });
    const { sum, count } = collector.getHistogram(METRIC_EVALUATION_DURATION_SECONDS, {
      decision_id: "loan",
    });
    expect(count).toBe(3);
    expect(sum).toBeCloseTo(0.006, 12);
    const bucket = (le: string): number | undefined =>
      parseSamples(collector.toPrometheus()).find(({ labels }) => labels["le"] === le)?.value;
    const buckets = { below: bucket("0.001"), at: bucket("0.005"), all: bucket("+Inf") };
    expect(buckets).toEqual({ below: 0, at: 3, all: 3 });
  });

  const statuses = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "REFUSED", "ERROR"];

  /** The values of one metric by one of its labels. */
  function valuesBy(label: string, collector: MetricsCollector, metric: string) {
    const samples = parseSamples(collector.toPrometheus()).filter(({ name }) => name === metric);
    return Object.fromEntries(samples.map(({ labels, value }) => [labels[label], value]));
  }

  it("counts every status and rule of a decision from 0 once a host serves it", () => {
    const collector = new MetricsCollector();
    expect(sampleLines(collector.toPrometheus())).toEqual([]);
    collector.observer.onServed?.([loan]);
    expect(valuesBy("status", collector, METRIC_EVALUATIONS_TOTAL)).toEqual(
      Object.fromEntries(statuses.map((status) => [status, 0])),
    );
    expect(valuesBy("rule_id", collector, METRIC_RULE_MATCHES_TOTAL)).toEqual({
      broken: 0,
      "too-low": 0,
      standard: 0,
    });
  });

  it("counts the rules of every version that a host serves, and with versionLabel each version's statuses, from 0", () => {
    const collector = new MetricsCollector({ versionLabel: true });
    const next = { ...loan, version: "2.0.0", ruleIds: ["new"] };
    collector.observer.onServed?.([loan, next]);
    expect(Object.keys(valuesBy("rule_id", collector, METRIC_RULE_MATCHES_TOTAL))).toContain("new");
    const labels = { decision_id: "loan", decision_version: "2.0.0", status: "ERROR" };
    expect(collector.toPrometheus()).toContain(
      'engine_evaluations_total{decision_id="loan",status="ERROR",decision_version="2.0.0"} 0',
    );
    expect(collector.getCounter(METRIC_EVALUATIONS_TOTAL, labels)).toBe(0);
  });

  it("begins at 0 with the first evaluation of a decision that no host announced", async () => {
    const collector = new MetricsCollector();
    await evaluatorWith(collector.observer).evaluate(loan, { input: inputs.none });
    expect(valuesBy("status", collector, METRIC_EVALUATIONS_TOTAL)).toEqual({
      ...Object.fromEntries(statuses.map((status) => [status, 0])),
      NO_MATCH: 1,
    });
  });

  it("leaves half of maxSeries to what has been counted", async () => {
    const logger = recordingLogger();
    const collector = new MetricsCollector({ maxSeries: 20, logger });
    const decisions = Array.from({ length: 11 }, (_, index) => ({ ...loan, id: `loan-${index}` }));
    collector.observer.onServed?.(decisions);
    const lines = () => sampleLines(collector.toPrometheus());
    const evaluations = () => lines().filter((line) => line.startsWith(METRIC_EVALUATIONS_TOTAL));
    expect(evaluations()).toHaveLength(10);
    const evaluator = evaluatorWith(collector.observer);
    for (const decision of decisions) await evaluator.evaluate(decision, { input: inputs.ok });
    expect(evaluations().filter((line) => line.endsWith(" 1"))).toHaveLength(11);
    expect(logger.lines).toEqual([]);
  });

  it("counts HTTP replies by method, route and status, and announced ones from 0", () => {
    const collector = new MetricsCollector();
    const { observer } = collector;
    const call = { route: "/decisions/:id", method: "POST" };
    observer.onReplied?.({ ...call, status: 503, count: 0 });
    observer.onReplied?.({ ...call, status: 200, count: 1 });
    observer.onReplied?.({ ...call, status: 200, count: 1 });
    observer.onReplied?.({ route: undefined, method: undefined, status: 400, count: 1 });
    expect(sampleLines(collector.toPrometheus())).toEqual([
      'engine_http_replies_total{method="POST",route="/decisions/:id",status="503"} 0',
      'engine_http_replies_total{method="POST",route="/decisions/:id",status="200"} 2',
      'engine_http_replies_total{method="none",route="none",status="400"} 1',
    ]);
  });

  it("counts and measures the replies of several routes in turn, and all anew after a reset", () => {
    const collector = new MetricsCollector({ buckets: [1] });
    const { observer } = collector;
    const one = { method: "POST", status: 200, count: 1, durationSeconds: 0.5 };
    const replies = [
      { ...one, route: "/a" },
      { ...one, route: "/b" },
      { ...one, route: "/a", status: 503 },
      { ...one, route: "/a", method: "GET" },
      { ...one, route: "/a" },
    ];
    for (let turn = 0; turn < 2; turn += 1) {
      for (const reply of replies) observer.onReplied?.(reply);
      const count = (route: string, method: string, status: string) =>
        collector.getCounter("engine_http_replies_total", { route, method, status });
      expect([count("/a", "POST", "200"), count("/b", "POST", "200"), count("/a", "POST", "503")]).toEqual([
        2, 1, 1,
      ]);
      expect(count("/a", "GET", "200")).toBe(1);
      const timed = (route: string, method: string) =>
        collector.getHistogram("engine_http_duration_seconds", { route, method }).count;
      expect([timed("/a", "POST"), timed("/b", "POST"), timed("/a", "GET")]).toEqual([3, 1, 1]);
      collector.reset();
    }
  });

  it("measures HTTP replies by method and route", () => {
    const collector = new MetricsCollector({ buckets: [0.01, 0.1] });
    const { observer } = collector;
    const call = { route: "/decisions/:id", method: "POST" };
    observer.onReplied?.({ ...call, status: 200, count: 1, durationSeconds: 0.005 });
    observer.onReplied?.({ ...call, status: 503, count: 1, durationSeconds: 0.05 });
    // It reached no route, whose name it could make up.
    observer.onReplied?.({ route: undefined, method: "POST", status: 404, count: 1, durationSeconds: 3 });
    const labels = 'method="POST",route="/decisions/:id"';
    const lines = sampleLines(collector.toPrometheus()).filter((line) => line.includes("http_duration"));
    expect(lines).toEqual([
      `engine_http_duration_seconds_bucket{${labels},le="0.01"} 1`,
      `engine_http_duration_seconds_bucket{${labels},le="0.1"} 2`,
      `engine_http_duration_seconds_bucket{${labels},le="+Inf"} 2`,
      `engine_http_duration_seconds_sum{${labels}} 0.055`,
      `engine_http_duration_seconds_count{${labels}} 2`,
    ]);
  });

  it("shares series between hosts, and between decisions with the same id", async () => {
    const collector = new MetricsCollector();
    const sameId = defineDecision({
      id: "loan",
      version: "2.0.0",
      inputSchema: z.object({}),
      outputSchema: z.object({ approved: z.boolean() }),
      profileSchema: z.object({}),
      rules: [{ id: "standard", when: () => true, emit: () => ({ approved: true }) }],
    });
    await evaluatorWith(collector.observer).evaluate(loan, { input: inputs.ok });
    await evaluatorWith(collector.observer).evaluate(sameId, { input: {} });
    expect(counted(collector)).toEqual({ OK: 2, standard: 2 });
  });

  it("counts from zero after a reset, on the page too", async () => {
    const collector = new MetricsCollector();
    const evaluator = evaluatorWith(collector.observer);
    await evaluator.evaluate(loan, { input: inputs.ok });
    collector.reset();
    expect(counted(collector)).toEqual({});
    await evaluator.evaluate(loan, { input: inputs.ok });
    await evaluator.evaluate(loan, { input: inputs.tooLow });
    expect(counted(collector)).toEqual({ OK: 2, standard: 1, "too-low": 1 });
    expect(collector.toPrometheus()).toContain(
      'engine_evaluation_duration_seconds_count{decision_id="loan"} 2\n',
    );
  });

  it("keeps counting when a host uses the same metric names", async () => {
    const collector = new MetricsCollector();
    collector.increment(METRIC_EVALUATIONS_TOTAL, { status: "OK", decision_id: "loan" }, 5);
    await evaluatorWith(collector.observer).evaluate(loan, { input: inputs.ok });
    expect(collector.getCounter(METRIC_EVALUATIONS_TOTAL, { decision_id: "loan", status: "OK" })).toBe(6);
  });

  it("folds decisions over the limit into one series with all labels", async () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    const evaluator = evaluatorWith(collector.observer);
    for (const id of ["loan", "b", "c"]) await evaluator.evaluate({ ...loan, id }, { input: inputs.ok });
    const rest = { decision_id: "__overflow__" };
    expect(collector.getCounter(METRIC_EVALUATIONS_TOTAL, { ...rest, status: "__overflow__" })).toBe(2);
    expect(collector.getCounter(METRIC_RULE_MATCHES_TOTAL, { ...rest, rule_id: "__overflow__" })).toBe(2);
    expect(collector.getHistogram(METRIC_EVALUATION_DURATION_SECONDS, rest).count).toBe(2);
  });

  it("records nothing when metrics are disabled, and the collector still works", async () => {
    const m = metrics();
    await evaluatorWith(m.observer).evaluate(loan, { input: inputs.ok });
    expect(sampleLines(m.collector.toPrometheus())).toEqual([]);
    m.collector.increment("x_total");
    expect(sampleLines(m.render(undefined).body)).toEqual(["x_total 1"]);
  });
});
