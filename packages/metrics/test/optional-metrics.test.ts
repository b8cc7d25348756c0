import type { EvaluationObserver, ShadowEvent } from "@decern/core";
import { describe, expect, it } from "vitest";
import {
  METRIC_DECISION_LOADS_TOTAL,
  METRIC_EVALUATIONS_TOTAL,
  METRIC_LOAD_FAILING,
  METRIC_LOG_RECORDS_TOTAL,
  METRIC_PROFILE_LOADS_TOTAL,
  METRIC_SET_SINCE_SECONDS,
  METRIC_SHADOW_EVALUATIONS_TOTAL,
  METRIC_USED_EVALUATIONS_TOTAL,
  MetricsCollector,
  metrics,
} from "../src/index.js";
import { evaluatorWith, loan, nested, parseSamples, recordingLogger } from "./fixtures.js";

/** The samples of one metric that have counted something. */
function samplesOf(collector: MetricsCollector, name: string) {
  return parseSamples(collector.toPrometheus())
    .filter((sample) => sample.name === name && sample.value > 0)
    .map(({ labels, value }) => [labels, value]);
}

const result: ShadowEvent["result"] = {
  status: "INVALID_INPUT",
  message: "",
  errors: [],
  meta: { decisionId: "loan", evaluatedAt: "2026-01-01T00:00:00.000Z" },
};

/** Reports a shadow evaluation, as a host does. */
function shadow(observer: EvaluationObserver, version: string, outcome: ShadowEvent["outcome"]): void {
  observer.onShadowEvaluated?.({
    decision: loan,
    shadow: { ...loan, version },
    outcome,
    result,
    shadowResult: undefined,
    error: undefined,
    requestId: "r",
  });
}

describe("the label decision_version", () => {
  it("tells the versions of a decision apart, on evaluations only", async () => {
    const { collector, observer } = metrics({ enabled: true, versionLabel: true });
    const evaluator = evaluatorWith(observer);
    for (const version of ["1.0.0", "2.0.0", "1.0.0"])
      await evaluator.evaluate({ ...loan, version }, { input: { score: 700 } });
    await evaluator.evaluate(loan, { input: { score: 5000 } });
    const labels = { decision_id: "loan", status: "OK" };
    expect(samplesOf(collector, METRIC_EVALUATIONS_TOTAL)).toEqual([
      [{ ...labels, decision_version: "1.0.0" }, 2],
      [{ decision_id: "loan", status: "NO_MATCH", decision_version: "1.0.0" }, 1],
      [{ ...labels, decision_version: "2.0.0" }, 1],
    ]);
    // Six statuses of two versions.
    expect(collector.toPrometheus().match(/decision_version/g)).toHaveLength(12);
  });

  it("is not there unless it was asked for", async () => {
    const { collector, observer } = metrics({ enabled: true });
    const evaluator = evaluatorWith(observer);
    for (const version of ["1.0.0", "2.0.0"])
      await evaluator.evaluate({ ...loan, version }, { input: { score: 700 } });
    expect(samplesOf(collector, METRIC_EVALUATIONS_TOTAL)).toEqual([
      [{ decision_id: "loan", status: "OK" }, 2],
    ]);
  });

  it("counts from zero after a reset", async () => {
    const { collector, observer } = metrics({ enabled: true, versionLabel: true });
    const evaluator = evaluatorWith(observer);
    await evaluator.evaluate(loan, { input: { score: 700 } });
    collector.reset();
    await evaluator.evaluate(loan, { input: { score: 700 } });
    expect(samplesOf(collector, METRIC_EVALUATIONS_TOTAL).map(([, value]) => value)).toEqual([1]);
  });
});

describe("decisions that others used", () => {
  it("are counted at every depth, apart from the evaluations that callers asked for", async () => {
    const collector = new MetricsCollector();
    const evaluator = evaluatorWith(collector.observer);
    // Once with 701 and once, through "middle", with 700; then with 1000, which no rule covers, and 999.
    await evaluator.evaluate(nested, { input: { score: 700 } });
    await evaluator.evaluate(nested, { input: { score: 999 } });
    expect(samplesOf(collector, METRIC_USED_EVALUATIONS_TOTAL)).toEqual([
      [{ decision_id: "loan", status: "OK" }, 3],
      [{ decision_id: "middle", status: "OK" }, 2],
      [{ decision_id: "loan", status: "NO_MATCH" }, 1],
    ]);
    expect(samplesOf(collector, METRIC_EVALUATIONS_TOTAL)).toEqual([
      [{ decision_id: "nested", status: "OK" }, 2],
    ]);
  });
});

describe("shadows and profiles", () => {
  it("are counted by what came of them", () => {
    const collector = new MetricsCollector();
    const { observer } = collector;
    shadow(observer, "2.0.0", "same");
    shadow(observer, "2.0.0", "same");
    shadow(observer, "2.0.0", "failed");
    shadow(observer, "3.0.0", "different");
    observer.onProfilesLoaded?.({ outcome: "loaded", revision: "1" });
    observer.onProfilesLoaded?.({ outcome: "failed", error: new Error("gone") });
    observer.onProfilesLoaded?.({ outcome: "loaded", revision: "2" });
    const ids = { decision_id: "loan", shadow_id: "loan" };
    expect(samplesOf(collector, METRIC_SHADOW_EVALUATIONS_TOTAL)).toEqual([
      [{ ...ids, shadow_version: "2.0.0", outcome: "same" }, 2],
      [{ ...ids, shadow_version: "2.0.0", outcome: "failed" }, 1],
      [{ ...ids, shadow_version: "3.0.0", outcome: "different" }, 1],
    ]);
    expect(samplesOf(collector, METRIC_PROFILE_LOADS_TOTAL)).toEqual([
      [{ outcome: "loaded" }, 2],
      [{ outcome: "failed" }, 1],
    ]);
  });
});

it.each([
  [METRIC_PROFILE_LOADS_TOTAL, "failed"],
  [METRIC_LOG_RECORDS_TOTAL, "lost"],
  [METRIC_SHADOW_EVALUATIONS_TOTAL, "failed"],
])("%s: the outcome %s is 0 before its first time", (name, outcome) => {
  const collector = new MetricsCollector();
  const { observer } = collector;
  observer.onProfilesLoaded?.({ outcome: "loaded", revision: "1" });
  observer.onRecorded?.({ outcome: "written", count: 1 });
  shadow(observer, "2.0.0", "same");
  const all = parseSamples(collector.toPrometheus()).filter((sample) => sample.name === name);
  expect(all.find(({ labels }) => labels["outcome"] === outcome)?.value).toBe(0);
});

it("loads of decisions are counted, and say whether they fail and which set is in use", () => {
  const collector = new MetricsCollector();
  const { observer } = collector;
  const samples = (name: string) => samplesOf(collector, name);
  observer.onProfilesLoaded?.({ outcome: "loaded", revision: "p1" });
  observer.onDecisionsLoaded?.({ outcome: "loaded", revision: "1" });
  observer.onDecisionsLoaded?.({ outcome: "scheduled", revision: "2", activateAtMs: 1 });
  observer.onDecisionsLoaded?.({ outcome: "failed", error: new Error("gone") });
  expect(samples(METRIC_DECISION_LOADS_TOTAL)).toEqual([
    [{ outcome: "loaded" }, 1],
    [{ outcome: "scheduled" }, 1],
    [{ outcome: "failed" }, 1],
  ]);
  expect(samples(METRIC_LOAD_FAILING)).toEqual([[{ part: "decisions" }, 1]]);
  const [, first] = samples(METRIC_SET_SINCE_SECONDS);
  expect(first).toEqual([{ part: "decisions", revision: "1" }, expect.any(Number)]);
  observer.onDecisionsLoaded?.({ outcome: "loaded", revision: "1" });
  expect(samples(METRIC_SET_SINCE_SECONDS)[1]).toEqual(first);
  expect(samples(METRIC_LOAD_FAILING)).toEqual([]);
  observer.onDecisionsLoaded?.({ outcome: "loaded", revision: "2" });
  expect(samples(METRIC_SET_SINCE_SECONDS).map(([labels]) => labels)).toEqual([
    { part: "profiles", revision: "p1" },
    { part: "decisions", revision: "2" },
  ]);
});

describe("records", () => {
  it("are counted by what came of them, as many as there were", () => {
    const collector = new MetricsCollector();
    const { observer } = collector;
    observer.onRecorded?.({ outcome: "written", count: 40 });
    observer.onRecorded?.({ outcome: "lost", count: 2 });
    observer.onRecorded?.({ outcome: "written", count: 3 });
    observer.onRecorded?.({ outcome: "refused", count: 1 });
    expect(samplesOf(collector, METRIC_LOG_RECORDS_TOTAL)).toEqual([
      [{ outcome: "written" }, 43],
      [{ outcome: "lost" }, 2],
      [{ outcome: "refused" }, 1],
    ]);
    collector.reset();
    observer.onRecorded?.({ outcome: "written", count: 1 });
    expect(samplesOf(collector, METRIC_LOG_RECORDS_TOTAL)).toEqual([[{ outcome: "written" }, 1]]);
  });
});

describe("the metrics of what a host does not do", () => {
  const names = [
    METRIC_USED_EVALUATIONS_TOTAL,
    METRIC_SHADOW_EVALUATIONS_TOTAL,
    METRIC_PROFILE_LOADS_TOTAL,
    METRIC_LOG_RECORDS_TOTAL,
  ];

  it("are not on the page, not even with a help text", async () => {
    const collector = new MetricsCollector();
    await evaluatorWith(collector.observer).evaluate(loan, { input: { score: 700 } });
    for (const accept of ["text/plain", "application/openmetrics-text"])
      expect(collector.render(accept).body).not.toMatch(/engine_(used|shadow|profile|log)/);
    shadow(collector.observer, "2.0.0", "same");
    expect(collector.toPrometheus()).toContain(`# TYPE ${METRIC_SHADOW_EVALUATIONS_TOTAL} counter`);
    collector.reset();
    expect(collector.toPrometheus()).not.toMatch(/engine_(used|shadow|profile|log)/);
  });

  it.each(names)("keep the name %s for themselves", (name) => {
    const collector = new MetricsCollector();
    expect(() => collector.observe(name, {}, 1)).toThrow("cannot be used as a histogram");
    expect(() => collector.observe(name.replace("_total", ""), {}, 1)).toThrow("conflicts");
  });

  it("are folded beyond the limit of series, with all of their labels", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    for (const version of ["1", "2", "3"]) shadow(collector.observer, version, "same");
    expect(samplesOf(collector, METRIC_SHADOW_EVALUATIONS_TOTAL).map(([, value]) => value)).toEqual([1, 2]);
  });
});
