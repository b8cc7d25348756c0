import { describe, expect, it } from "vitest";
import { MetricsCollector } from "../src/index.js";

const metadata = [
  "# HELP engine_evaluations_total Evaluations that ended, by decision and status.",
  "# TYPE engine_evaluations_total counter",
  "# HELP engine_evaluation_duration_seconds Duration of evaluations in seconds, by decision.",
  "# TYPE engine_evaluation_duration_seconds histogram",
  "# HELP engine_rule_matches_total Evaluations that a rule decided, by decision and rule.",
  "# TYPE engine_rule_matches_total counter",
];

function filled(): MetricsCollector {
  const collector = new MetricsCollector({ buckets: [0.00001, 0.5, 1, 2_000_000] });
  collector.increment("loans_total", { branch: 'no"r\\th\n' }, 2);
  collector.increment("plain");
  for (const value of [0.25, 0.5, 1, 3_000_000]) collector.observe("wait_seconds", { bureau: "a" }, value);
  collector.observe("bare_seconds", {}, 0.00001);
  return collector;
}

describe("the Prometheus text format", () => {
  it("lists the built-in metrics before the first evaluation", () => {
    expect(new MetricsCollector().toPrometheus()).toBe(`${metadata.join("\n")}\n`);
  });

  it("matches the specification exactly", () => {
    expect(filled().toPrometheus()).toBe(
      [
        ...metadata,
        "# HELP loans_total Counter of the host application.",
        "# TYPE loans_total counter",
        'loans_total{branch="no\\"r\\\\th\\n"} 2',
        "# HELP plain Counter of the host application.",
        "# TYPE plain counter",
        "plain 1",
        "# HELP wait_seconds Histogram of the host application.",
        "# TYPE wait_seconds histogram",
        'wait_seconds_bucket{bureau="a",le="0.00001"} 0',
        'wait_seconds_bucket{bureau="a",le="0.5"} 2',
        'wait_seconds_bucket{bureau="a",le="1"} 3',
        'wait_seconds_bucket{bureau="a",le="2000000"} 3',
        'wait_seconds_bucket{bureau="a",le="+Inf"} 4',
        'wait_seconds_sum{bureau="a"} 3000001.75',
        'wait_seconds_count{bureau="a"} 4',
        "# HELP bare_seconds Histogram of the host application.",
        "# TYPE bare_seconds histogram",
        'bare_seconds_bucket{le="0.00001"} 1',
        'bare_seconds_bucket{le="0.5"} 1',
        'bare_seconds_bucket{le="1"} 1',
        'bare_seconds_bucket{le="2000000"} 1',
        'bare_seconds_bucket{le="+Inf"} 1',
        "bare_seconds_sum 0.00001",
        "bare_seconds_count 1",
        "",
      ].join("\n"),
    );
  });

  it("writes sums that overflow a double as the format requires", () => {
    const collector = new MetricsCollector();
    collector.increment("x_total", {}, Number.MAX_VALUE);
    collector.increment("x_total", {}, Number.MAX_VALUE);
    collector.observe("low", {}, -Number.MAX_VALUE);
    collector.observe("low", {}, -Number.MAX_VALUE);
    expect(collector.toPrometheus()).toContain("\nx_total +Inf\n");
    expect(collector.toPrometheus()).toContain("\nlow_sum -Inf\n");
  });
});

describe("OpenMetrics", () => {
  it("matches the specification exactly: no _total in a family's name, canonical bounds, an end marker", () => {
    const page = filled().render("application/openmetrics-text").body;
    expect(page.split("\n").filter((line) => line.startsWith("#"))).toEqual([
      ...metadata.map((line) => line.replace("_total ", " ")),
      "# HELP loans Counter of the host application.",
      "# TYPE loans counter",
      "# HELP plain Counter of the host application.",
      "# TYPE plain unknown",
      "# HELP wait_seconds Histogram of the host application.",
      "# TYPE wait_seconds histogram",
      "# HELP bare_seconds Histogram of the host application.",
      "# TYPE bare_seconds histogram",
      "# EOF",
    ]);
    expect(page).toContain('\nloans_total{branch="no\\"r\\\\th\\n"} 2\n');
    expect(page).toContain("\nplain 1\n");
    expect(page.match(/(?<=bare_seconds_bucket\{le=")[^"]+/g)).toEqual([
      "1e-05",
      "0.5",
      "1.0",
      "2e+06",
      "+Inf",
    ]);
    expect(page.endsWith("\n# EOF\n")).toBe(true);
  });

  it("leaves out a sum that is not a counter, and its count", () => {
    const collector = new MetricsCollector();
    collector.observe("balance", {}, -3);
    collector.observe("wait_seconds", {}, 3);
    const page = collector.render("application/openmetrics-text").body;
    expect(page).toContain('\nbalance_bucket{le="+Inf"} 1\n');
    expect(page).not.toContain("balance_sum");
    expect(page).not.toContain("balance_count");
    expect(page).toContain("\nwait_seconds_sum 3\nwait_seconds_count 1\n");
  });
});
