import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EvaluationObserver } from "@decern/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as api from "../src/index.js";
import { MetricsCollector } from "../src/index.js";
import { processMetrics } from "../src/registry/names.js";
import { evaluatorWith, loan, sampleLines } from "./fixtures.js";
import { promtool } from "./promtool.js";

const guide = readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8");

const deploy = (name: string): string =>
  readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");
const alerts = deploy("alerts.yaml");

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const { panels }: Dashboard = JSON.parse(deploy("grafana.json"));

/** The queries of the dashboard by the title of their panel, with Grafana's variables filled in. */
const queries = new Map(
  panels.map(({ title, targets: [target] }) => [
    title,
    target?.expr.replaceAll("$__rate_interval", "5m").replaceAll("$decision", ".*").replaceAll("\n", " "),
  ]),
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

  it("have queries that return the right values in Prometheus's own engine", async () => {
    const expected: Readonly<Record<string, readonly (readonly [labels: string, value: number])[]>> = {
      "Evaluations a second, by decision": [['{decision_id="loan"}', 10 / 60]],
      "Evaluations a second, by status": [
        ['{status="OK"}', 6 / 60],
        ['{status="NO_MATCH"}', 1 / 60],
        ['{status="INVALID_INPUT"}', 2 / 60],
        ['{status="INVALID_PROFILE"}', 0],
        ['{status="REFUSED"}', 0],
        ['{status="ERROR"}', 1 / 60],
      ],
      "Share of faults": [["{}", 0.1]],
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
        ...["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5"].map(
          (le) => [`{le="${le}"}`, 50] as const,
        ),
        ...["1.0", "2.5", "5.0", "10.0", "+Inf"].map((le) => [`{le="${le}"}`, 50] as const),
      ],
    };
    expect([...queries.keys()]).toEqual(Object.keys(expected));

    // Repeats the same minute.
    const page = sampleLines((await minute()).render("application/openmetrics-text").body);
    const series = page.map((line) => {
      const [, name = "", value = ""] = /^(.*) (\S+)$/.exec(line) ?? [];
      return { series: name, values: `0+${value}x60` };
    });
    series.push({
      series: 'engine_rule_matches_total{decision_id="loan",rule_id="retired"}',
      values: "7x60",
    });
    // In whole billionths, because samples are compared to the last bit.
    const tests = Object.entries(expected).map(([title, samples]) => ({
      expr: `round((${queries.get(title)}) * 1e9)`,
      eval_time: "30m",
      exp_samples: samples.map(([labels, value]) => ({ labels, value: Math.round(value * 1e9) })),
    }));
    // JSON is valid YAML.
    const suite = {
      evaluation_interval: "1m",
      tests: [{ interval: "1m", input_series: series, promql_expr_test: tests }],
    };
    const { code, output } = promtool(["test", "rules", write("suite.yml", JSON.stringify(suite))]);
    expect(output).not.toContain("FAILED");
    expect(code).toBe(0);
  });
});

describe("the guide", () => {
  it("names exactly the metrics that evaluations have, on the page from the start or later", async () => {
    const collector = await minute();
    const families = [...collector.toPrometheus().matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const exported = Object.entries(api).flatMap(([key, name]) => (key.startsWith("METRIC_") ? [name] : []));
    expect(exported).toEqual(expect.arrayContaining(families));
    expect(exported.every((name) => guide.includes(`| \`${name}\` |`))).toBe(true);
    for (const { name } of Object.values(processMetrics)) expect(guide).toContain(`\`${name}\``);
    const named = new Set(
      [...guide.matchAll(/engine_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, "")),
    );
    expect([...named].sort()).toEqual(exported.sort());
  });
});
