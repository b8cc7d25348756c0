import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationObserver } from "@decern/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as api from "../src/index.js";
import { MetricsCollector, workerMetrics } from "../src/index.js";
import { processMetrics } from "../src/registry/names.js";
import { evaluatorWith, loan, nested, sampleLines } from "./fixtures.js";
import { promtool } from "./promtool.js";

const guide = readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8");

const deploy = (name: string): string =>
  readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");
const alerts = deploy("alerts.yaml");

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
const { panels }: Dashboard = JSON.parse(deploy("grafana.json"));

/** The queries of the dashboard by the title of their panel, with Grafana's variables filled in. */
const queries = new Map(
  panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [
      title,
      expr.replaceAll("$__rate_interval", "5m").replaceAll("$decision", ".*").replaceAll("\n", " "),
    ]),
  ),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-guide-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** One minute of traffic: 6 OK (2 too-low, 4 standard), 1 without a match, 2 invalid, 1 fault; each takes 2 ms. */
async function minute(): Promise<MetricsCollector> {
  const collector = new MetricsCollector();
  const evaluator = evaluatorWith(collector.observer, 2);
  for (const score of [1, 2, 700, 700, 700, 700, 5000]) await evaluator.evaluate(loan, { input: { score } });
  for (const input of [{}, { score: "no" }]) await evaluator.evaluate(loan, { input: input as unknown });
  expect(() => evaluator.evaluate(loan, { input: { score: 13 } })).toThrow();
  return collector;
}

/** One minute of a service that has everything, and of a worker. */
async function fullMinute(): Promise<MetricsCollector> {
  const collector = new MetricsCollector();
  const { observer } = collector;
  const route = "/decisions/:id";
  observer.onReplied?.({ method: "POST", route, status: 200, count: 1999 });
  observer.onReplied?.({ method: "POST", route, status: 503, count: 1 });
  observer.onReplied?.({ method: "GET", route: "/health/ready", status: 503, count: 30 });
  observer.onRecorded?.({ outcome: "written", count: 12 });
  observer.onProfilesLoaded?.({ outcome: "loaded", revision: "1" });
  await evaluatorWith(observer).evaluate(nested, { input: { score: 700 } });
  const result = await evaluatorWith(observer).evaluate(loan, { input: { score: 700 } });
  const shadow = { decision: loan, shadow: { ...loan, version: "2.0.0" }, result, requestId: "1" };
  observer.onShadowEvaluated?.({ ...shadow, outcome: "same", shadowResult: result, error: undefined });
  const backlog = async () => ({ items: 12, dead: 3, oldestSeconds: 90 });
  const worker = workerMetrics({ collector, decision: loan, source: { backlog } });
  worker.observer.onCommitted({
    counts: { OK: 30, NO_MATCH: 0, INVALID_INPUT: 6, INVALID_JSON: 0, ERROR: 0 },
    seconds: 0.2,
  });
  worker.observer.onFailure(new Error("gone"));
  await worker.refresh();
  return collector;
}

type Samples = Readonly<Record<string, readonly (readonly [labels: string, value: number])[]>>;

/** Repeats the same minute for an hour, and judges what the panels show after half of it. */
function judgePanels(collector: MetricsCollector, expected: Samples, more: readonly object[] = []): void {
  const { body } = collector.render("application/openmetrics-text");
  const gauges = new Set([...body.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = ""]) => name));
  const series = sampleLines(body).flatMap((line) => {
    const [, sample = "", name = "", value = ""] = /^((\w+).*) (\S+)$/.exec(line) ?? [];
    // The figures of this process are of no use.
    if (/^(?:process|nodejs|decern)_/.test(name)) return [];
    return [{ series: sample, values: `${gauges.has(name) ? "" : "0+"}${value}x60` }];
  });
  // In whole billionths, because samples are compared to the last bit.
  const tests = Object.entries(expected).map(([title, samples]) => ({
    expr: `round((${queries.get(title)}) * 1e9)`,
    eval_time: "30m",
    exp_samples: samples.map(([labels, value]) => ({ labels, value: Math.round(value * 1e9) })),
  }));
  write("documented.yml", alerts);
  // JSON is valid YAML.
  const suite = {
    rule_files: ["documented.yml"],
    evaluation_interval: "1m",
    tests: [{ interval: "1m", input_series: [...series, ...more], promql_expr_test: tests }],
  };
  const { code, output } = promtool(["test", "rules", write("suite.yml", JSON.stringify(suite))]);
  expect(output).not.toContain("FAILED");
  expect(code).toBe(0);
}

const decisionPanels: Samples = {
  "Evaluations per second, by decision": [['{decision_id="loan"}', 10 / 60]],
  "Evaluations per second, by status": [
    ['{status="OK"}', 6 / 60],
    ['{status="NO_MATCH"}', 1 / 60],
    ['{status="INVALID_INPUT"}', 2 / 60],
    ['{status="INVALID_PROFILE"}', 0],
    ['{status="REFUSED"}', 0],
    ['{status="ERROR"}', 1 / 60],
  ],
  "Share of errors": [["{}", 0.1]],
  "Share of invalid calls, by decision": [['{decision_id="loan"}', 0.2]],
  "Share without a match, by decision": [['{decision_id="loan"}', 0.1]],
  "Which rules decide": [
    ['{decision_id="loan", rule_id="standard"}', 4 / 6],
    ['{decision_id="loan", rule_id="too-low"}', 2 / 6],
    ['{decision_id="loan", rule_id="broken"}', 0],
    ['{decision_id="loan", rule_id="retired"}', 0],
  ],
  "Rules that decided nothing for a day": [
    ['{decision_id="loan", rule_id="broken"}', 0],
    ['{decision_id="loan", rule_id="retired"}', 0],
  ],
  // All values are in the bucket from 0.001 to 0.005, where quantiles are interpolated.
  "Duration, 95th percentile, by decision": [['{decision_id="loan"}', 0.001 + 0.004 * 0.95]],
  "Duration, mean, by decision": [['{decision_id="loan"}', 0.002]],
  "Share decided within 10 ms": [["{}", 1]],
  "Durations as a heatmap": [
    ...["1e-05", "5e-05", "0.0001", "0.0005", "0.001"].map((le) => [`{le="${le}"}`, 0] as const),
    ...["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5"].map((le) => [`{le="${le}"}`, 50] as const),
    ...["1.0", "2.5", "5.0", "10.0", "+Inf"].map((le) => [`{le="${le}"}`, 50] as const),
  ],
};

/** @param ours - labels of the only instance */
const servicePanels = (build: string, ours: string): Samples => ({
  // One of 2,000 replies fails, half of what may: readiness doesn't count. No evaluation is late.
  "Budget left of 30 days": [
    ['{slo="availability"}', 0.5],
    ['{slo="latency"}', 1],
  ],
  "Times faster than the budget allows": [
    ['{slo="availability"}', 0.5],
    ['{slo="latency"}', 0],
  ],
  "Replies per second, by route and status": [
    ['{route="/decisions/:id", status="200"}', 1999 / 60],
    ['{route="/decisions/:id", status="503"}', 1 / 60],
    ['{route="/health/ready", status="503"}', 0.5],
  ],
  "Delay of the event loop, 99th percentile": [[ours, 0.002]],
  "Cores in use, by instance": [[ours, 0.5]],
  "Memory, by instance": [[ours, 1e6]],
  "Records, by outcome": [
    ['{outcome="written"}', 0.2],
    ['{outcome="lost"}', 0],
    ['{outcome="refused"}', 0],
  ],
  "Loads of profiles, by outcome": [
    ['{outcome="loaded"}', 5],
    ['{outcome="scheduled"}', 0],
    ['{outcome="failed"}', 0],
  ],
  "Shadow evaluations, by outcome": [
    ['{decision_id="loan", shadow_version="2.0.0", outcome="same"}', 1 / 60],
    ['{decision_id="loan", shadow_version="2.0.0", outcome="different"}', 0],
    ['{decision_id="loan", shadow_version="2.0.0", outcome="failed"}', 0],
  ],
  "Decisions used by others": [
    ['{decision_id="loan", status="OK"}', 2 / 60],
    ['{decision_id="middle", status="OK"}', 1 / 60],
  ],
  "Instances, by build": [[`{${build}}`, 1]],
  // Half an hour after the beginning of all time, and a minute.
  "Age of instances": [[ours, 31 * 60]],
  "Inputs per second, by status": [
    ['{decision_id="loan", status="OK"}', 0.5],
    ['{decision_id="loan", status="INVALID_INPUT"}', 0.1],
    ['{decision_id="loan", status="NO_MATCH"}', 0],
    ['{decision_id="loan", status="INVALID_JSON"}', 0],
    ['{decision_id="loan", status="ERROR"}', 0],
  ],
  // In the bucket from 0.1 to 0.25.
  "Duration of batches, 95th percentile": [['{decision_id="loan"}', 0.1 + 0.15 * 0.95]],
  "Inputs that wait": [['{decision_id="loan"}', 12]],
  "Age of the oldest input": [['{decision_id="loan"}', 90]],
  "Failed takes and commits": [['{decision_id="loan"}', 5]],
  "Dead letters": [['{decision_id="loan"}', 3]],
});

describe("deploy/alerts.yaml and deploy/grafana.json", () => {
  describe("have alerts that", () => {
    /** The page of a service that has replied and evaluated, but not failed, and then the same page after `failing`. */
    async function pages(
      failing: (observer: EvaluationObserver) => void,
    ): Promise<readonly [string, string]> {
      const collector = new MetricsCollector({ processMetrics: true });
      const { observer } = collector;
      observer.onServed?.([loan]);
      for (const status of [401, 500, 503]) observer.onReplied?.({ ...call, status, count: 0 });
      for (let n = 0; n < 100; n += 1) {
        await evaluatorWith(observer).evaluate(loan, { input: { score: 700 } });
        observer.onReplied?.({ ...call, status: 200, count: 1 });
      }
      observer.onProfilesLoaded?.({ outcome: "loaded", revision: "1" });
      observer.onRecorded?.({ outcome: "written", count: 1 });
      const before = collector.toPrometheus();
      failing(observer);
      return [before, collector.toPrometheus()];
    }
    const call = { method: "POST", route: "/decisions/:id" };

    /** Scrapes the first page every minute and, from minute 30, the second. Judges which alerts fire, with their labels. */
    async function judge(
      failing: (observer: EvaluationObserver) => void,
      expected: Readonly<Record<string, Readonly<Record<string, string>>>>,
    ) {
      const [before, after] = (await pages(failing)).map(
        (page) =>
          new Map(
            sampleLines(page).map((line) => [
              line.slice(0, line.lastIndexOf(" ")),
              line.slice(line.lastIndexOf(" ") + 1),
            ]),
          ),
      );
      const series = [...(after ?? new Map<string, string>())].map(([name, value]) => {
        const first = before?.get(name);
        const steady = name.startsWith("nodejs") ? "0" : undefined;
        return { series: name, values: `${steady ?? first ?? "_"}x29 ${steady ?? value}x30` };
      });
      const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);
      const rules = new Map(
        [...alerts.matchAll(/alert: (\w+).*?severity: (\w+).*?summary: "(.*?)"\s+runbook_url: (\S+)/gs)].map(
          ([, name = "", severity = "", summary = "", runbook_url = ""]) => [
            name,
            { severity, summary, runbook_url },
          ],
        ),
      );
      const at = (eval_time: string, firing: typeof expected) =>
        names.map((alertname) => {
          const labels = firing[alertname];
          if (labels === undefined) return { eval_time, alertname, exp_alerts: [] };
          const { severity, runbook_url, ...rule } = rules.get(alertname) ?? { summary: "" };
          const summary = rule.summary.replace(
            /\{\{ \$labels\.(\w+) \}\}/g,
            (_all, label: string) => labels[label] ?? "",
          );
          const exp = { exp_labels: { ...labels, severity }, exp_annotations: { summary, runbook_url } };
          return { eval_time, alertname, exp_alerts: [exp] };
        });
      write("documented.yml", alerts);
      const suite = {
        rule_files: ["documented.yml"],
        evaluation_interval: "1m",
        tests: [
          {
            interval: "1m",
            input_series: series,
            alert_rule_test: [...at("29m", {}), ...at("31m", expected)],
          },
        ],
      };
      const { code, output } = promtool(["test", "rules", write("alert-suite.yml", JSON.stringify(suite))]);
      expect(output).not.toContain("FAILED");
      expect(code).toBe(0);
    }

    it("do not fire in quiet", () => judge(() => {}, {}));

    it("fire on the first fault of a decision", () =>
      judge(
        (observer) => {
          expect(() => evaluatorWith(observer).evaluate(loan, { input: { score: 13 } })).toThrow();
        },
        { DecisionFaults: { decision_id: "loan" } },
      ));

    it("fire on the first request shed, failed load of profiles and lost record", () =>
      judge(
        (observer) => {
          observer.onReplied?.({ ...call, status: 503, count: 1 });
          observer.onProfilesLoaded?.({ outcome: "failed", error: new Error("gone") });
          observer.onRecorded?.({ outcome: "lost", count: 1 });
        },
        {
          ServiceFaults: { route: "/decisions/:id", status: "503" },
          // In a history of half an hour, one failure is above the budget.
          BudgetBurnsSlowly: { slo: "availability" },
          ProfilesNotLoaded: { outcome: "failed" },
          RecordsLost: { outcome: "lost" },
        },
      ));
  });

  it("have queries about decisions that return the right values in Prometheus's own engine", async () => {
    const retired = {
      series: 'engine_rule_matches_total{decision_id="loan",rule_id="retired"}',
      values: "7x60",
    };
    judgePanels(await minute(), decisionPanels, [retired]);
  });

  it("have queries about service and workers that return the right values", async () => {
    const build = 'version="1.2.3", node_version="22.0.0", build="4f2a"';
    const ours = '{instance="one", job="decern"}';
    const figures: Readonly<Record<string, string>> = {
      [`decern_build_info{instance="one", job="decern", ${build}}`]: "1x60",
      'nodejs_eventloop_lag_p99_seconds{instance="one", job="decern"}': "0.002x60",
      'nodejs_eventloop_lag_p99_seconds{instance="one", job="other"}': "0.5x60",
      'process_cpu_seconds_total{instance="one", job="decern"}': "0+30x60",
      'process_resident_memory_bytes{instance="one", job="decern"}': "1000000x60",
      'process_resident_memory_bytes{instance="one", job="other"}': "2000000x60",
      'process_start_time_seconds{instance="one", job="decern"}': "-60x60",
    };
    judgePanels(
      await fullMinute(),
      servicePanels(build, ours),
      Object.entries(figures).map(([series, values]) => ({ series, values })),
    );
  });

  it("have no other panels", () => {
    const judged = [...Object.keys(decisionPanels), ...Object.keys(servicePanels("", ""))];
    expect([...queries.keys()].toSorted()).toEqual(judged.toSorted());
  });
});

describe("the guide", () => {
  it("names exactly the metrics that evaluations have, on the page from the start or later", async () => {
    const collector = await minute();
    const families = [...collector.toPrometheus().matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const exported = Object.entries(api).flatMap(([key, name]) => (key.startsWith("METRIC_") ? [name] : []));
    expect(exported).toEqual(expect.arrayContaining(families));
    expect(exported.every((name) => guide.includes(`- \`${name}\` (`))).toBe(true);
    for (const { name } of Object.values(processMetrics)) expect(guide).toContain(`\`${name}\``);
    const named = new Set(
      [...guide.matchAll(/engine_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, "")),
    );
    expect([...named].sort()).toEqual(exported.sort());
  });
});
