import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { standardMetrics } from "../packages/metrics/src/registry/names.js";
import { promtool } from "../packages/metrics/test/promtool.js";
import { namesIn } from "./support/promql.js";

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const path = new URL("../deploy/alerts.yaml", import.meta.url).pathname;
const groups: readonly { readonly rules: readonly Rule[] }[] = parse(readFileSync(path, "utf8")).groups;
const rules = groups.flatMap((group) => group.rules);
const alerts = new Map(rules.flatMap((rule) => (rule.alert === undefined ? [] : [[rule.alert, rule]])));

/** What fires at one time: labels without the severity, and the summary. */
type Firing = Readonly<Record<string, readonly [labels: Readonly<Record<string, string>>, summary: string]>>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "decern-alerts-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const service = 'namespace="shop", job="decern"';
const instance = `${service}, instance="one"`;
/** A healthy instance, for longer than any test. */
const build = { series: `decern_build_info{${instance}, version="1", build="a"}`, values: "1x5000" };

/** Scrapes each minute and evaluates the rules `every` so often. Judges at each time that these alerts fire, and no others. */
function judge(
  input: Readonly<Record<string, string>>,
  times: Readonly<Record<string, Firing>>,
  { every = "1m", healthy = [build] }: { every?: string; healthy?: readonly object[] } = {},
): void {
  const series = Object.entries(input).map(([name, values]) => ({ series: name, values }));
  const expected = Object.entries(times).flatMap(([eval_time, firing]) =>
    [...alerts].map(([alertname, { labels: { severity = "" } = {}, annotations }]) => {
      const [labels, summary] = firing[alertname] ?? [];
      const exp_annotations = { ...annotations, summary };
      const exp_alerts =
        labels === undefined ? [] : [{ exp_labels: { ...labels, severity }, exp_annotations }];
      return { eval_time, alertname, exp_alerts };
    }),
  );
  const suite = {
    rule_files: [path],
    evaluation_interval: every,
    tests: [{ interval: "1m", input_series: [...healthy, ...series], alert_rule_test: expected }],
  };
  const file = join(folder, "suite.yml");
  writeFileSync(file, JSON.stringify(suite));
  const { code, output } = promtool(["test", "rules", file]);
  expect(output).not.toContain("FAILED");
  expect(code).toBe(0);
}

describe("deploy/alerts.yaml", () => {
  it("is accepted by Prometheus", () => {
    const { code, output } = promtool(["check", "rules", path]);
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(code).toBe(0);
  });

  it("reads only metrics that this package records, and series of its own", () => {
    const own = rules.flatMap(({ record = [] }) => record);
    const names = new Set(rules.flatMap(({ expr }) => namesIn(expr)));
    const recorded = standardMetrics.map(({ name }) => name);
    expect(names.size).toBeGreaterThan(15);
    expect([...names].filter((name) => !own.includes(name) && !recorded.includes(name))).toEqual([]);
  });

  it("gives each alert a severity, and a section of the runbook", () => {
    // `pnpm run lint` checks that the section exists.
    for (const [name, { labels, annotations }] of alerts) {
      expect(labels?.["severity"], name).toMatch(/^(critical|warning)$/);
      expect(annotations?.["runbook_url"], name).toMatch(/\/docs\/runbook\.md#[a-z-]+$/);
    }
    const critical = [...alerts].filter(([, { labels }]) => labels?.["severity"] === "critical");
    expect(critical.map(([name]) => name)).toEqual(["BudgetBurnsFast", "NotScraped", "RecordsLost"]);
  });
});

describe("objectives", () => {
  const replies = (status: number, route = "/decisions/:id") =>
    `engine_http_replies_total{${instance}, method="POST", route="${route}", status="${status}"}`;
  const durations = `engine_evaluation_duration_seconds_count{${instance}, decision_id="loan"}`;
  const inTime = `engine_evaluation_duration_seconds_bucket{${instance}, decision_id="loan", le="0.01"}`;
  const labels = (slo: string) => ({ namespace: "shop", job: "decern", slo });
  const fast = (slo: string) =>
    [labels(slo), `The ${slo} budget of a month will last five days at most`] as const;
  const slowly = (slo: string) => [labels(slo), `The ${slo} budget of a month will not last`] as const;
  const ServiceFaults = [{ route: "/decisions/:id", status: "503" }, "/decisions/:id replies 503"] as const;

  it("that are kept fire nothing", () =>
    judge(
      // Over three days, half of each budget: 0.05 % fail, and 0.5 % are late.
      {
        [replies(200)]: "0+6000x4320",
        [replies(503)]: "0+3x4320",
        [durations]: "0+6000x4320",
        [inTime]: "0+5970x4320",
      },
      { "60m": { ServiceFaults }, "4320m": { ServiceFaults } },
      { every: "30m" },
    ));

  it("fire fast while 2 % fail for most of an hour, and end soon after", () =>
    judge(
      {
        [replies(200)]: "0+5880x3000",
        [replies(503)]: "0x2879 0+120x60 7200x60",
        [durations]: "0+6000x3000",
        [inTime]: "0+6000x3000",
      },
      {
        "2880m": {},
        "2910m": { ServiceFaults },
        "2940m": { ServiceFaults, BudgetBurnsFast: fast("availability") },
        "2950m": {},
      },
      { every: "10m" },
    ));

  it("fire fast after six hours of 0.8 %", () =>
    judge(
      { [replies(200)]: "0+5952x3300", [replies(503)]: "0x2879 0+48x400" },
      {
        "3000m": { ServiceFaults },
        "3250m": { ServiceFaults, BudgetBurnsFast: fast("availability") },
      },
      { every: "10m" },
    ));

  it("fire slowly on twice the budget, kept up for three days, and on five times for one", () => {
    judge(
      { [replies(200)]: "0+5988x4320", [replies(503)]: "0+12x4320" },
      { "4320m": { ServiceFaults, BudgetBurnsSlowly: slowly("availability") } },
      { every: "30m" },
    );
    judge(
      { [replies(200)]: "0+5970x4320", [replies(503)]: "0x2879 0+30x1440" },
      {
        "3090m": { ServiceFaults },
        "4290m": { ServiceFaults, BudgetBurnsSlowly: slowly("availability") },
      },
      { every: "30m" },
    );
  });

  it("fire fast if every fifth evaluation is late", () =>
    judge(
      { [durations]: "0+6000x3000", [inTime]: "0+6000x2880 17284800+4800x60" },
      { "2880m": {}, "2940m": { BudgetBurnsFast: fast("latency") } },
      { every: "10m" },
    ));

  it("don't fire on one failure in a quiet night, but do if nothing works", () => {
    judge(
      { [replies(200)]: "0x9 1x9 2x1000", [replies(503)]: "0x239 1x600" },
      { "240m": { ServiceFaults }, "250m": {}, "300m": {}, "700m": {} },
      { every: "5m" },
    );
    // Two requests a minute, and every one fails.
    judge(
      { [replies(200)]: "0+2x2879 5758x100", [replies(503)]: "0x2879 0+2x100" },
      {
        "2880m": {},
        "2890m": {
          ServiceFaults,
          BudgetBurnsFast: fast("availability"),
          BudgetBurnsSlowly: slowly("availability"),
        },
      },
      { every: "10m" },
    );
  });

  it("don't count readiness, which replies 503 at each rollout", () =>
    judge(
      { [replies(200)]: "0+10x300", [replies(503, "/health/ready")]: "0+30x300" },
      { "120m": {}, "300m": {} },
    ));
});

describe("alerts", () => {
  const evaluations = (status: string, decision = "loan") =>
    `engine_evaluations_total{${instance}, decision_id="${decision}", status="${status}"}`;
  const ofLoan = { decision_id: "loan" };
  const here = { namespace: "shop", job: "decern", instance: "one" };

  it("that nothing is reached fire once it has lasted, and on a service that was never there", () => {
    const NotScraped = [{}, "Prometheus reaches no instance"] as const;
    judge(
      {},
      { "9m": {}, "13m": {}, "25m": { NotScraped } },
      {
        healthy: [{ ...build, values: "1x10 _x30" }],
      },
    );
    judge({}, { "4m": {}, "6m": { NotScraped } }, { healthy: [] });
  });

  it("that a decision fails, or a record is lost, fire on the first", () => {
    judge(
      {
        [evaluations("ERROR")]: "0x29 1x60",
        [`engine_log_records_total{${instance}, outcome="lost"}`]: "0x29 1x60",
        [`engine_log_records_total{${instance}, outcome="written"}`]: "0+9x90",
      },
      {
        "29m": {},
        "31m": {
          DecisionFaults: [ofLoan, "Decision loan fails"],
          RecordsLost: [{ outcome: "lost" }, "Records are lost"],
        },
        "60m": {},
      },
    );
  });

  it("that callers have no credentials fire above 5 %", () => {
    const replies = (status: number) =>
      `engine_http_replies_total{${instance}, route="/decisions", status="${status}"}`;
    const summary = "More than 5 % of requests have no valid credentials";
    judge({ [replies(200)]: "0+96x60", [replies(401)]: "0+4x60" }, { "50m": {} });
    judge(
      { [replies(200)]: "0+94x60", [replies(401)]: "0+6x60" },
      { "5m": {}, "50m": { CallersUnauthorized: [{}, summary] } },
    );
  });

  it("that the event loop is late, or a process restarts, fire for Decern's processes only", () => {
    const lag = (labels: string) => `nodejs_eventloop_lag_p99_seconds{${labels}}`;
    const start = (labels: string) => `process_start_time_seconds{${labels}}`;
    const other = 'job="other", instance="one"';
    judge(
      {
        [lag(instance)]: "0.01x20 0.2x40",
        [lag(other)]: "0.2x60",
        [start(instance)]: "1000x20 2000x3 3000x3 4000x34",
        [start(other)]: "1x20 2x3 3x3 4x34",
      },
      {
        "20m": {},
        "24m": {},
        "40m": {
          EventLoopLate: [here, "one is overloaded, or blocked"],
          ProcessRestarts: [here, "one keeps restarting"],
        },
      },
    );
    judge({ [start(instance)]: "1000x20 2000x40" }, { "30m": {} });
  });

  it("that builds differ fire once a rollout is over", () => {
    const second = `decern_build_info{${service}, instance="two", version="1", build="b"}`;
    const BuildsDiffer = [
      { namespace: "shop", job: "decern" },
      "Instances have run 2 builds for two hours",
    ] as const;
    judge({ [second]: "1x60 _x200" }, { "59m": {}, "200m": {} });
    judge({ [second]: "1x200" }, { "119m": {}, "121m": { BuildsDiffer } });
  });

  it("that profiles could not be loaded fire on the first failure", () => {
    const loads = (outcome: string) => `engine_profile_loads_total{${instance}, outcome="${outcome}"}`;
    judge(
      { [loads("loaded")]: "0+1x60", [loads("failed")]: "0x29 1x60" },
      {
        "29m": {},
        "31m": { ProfilesNotLoaded: [{ ...here, outcome: "failed" }, "one keeps its last valid profiles"] },
      },
    );
  });

  it("that no rule matches fire above 5 %, for that decision", () => {
    const summary = "More than 5 % of calls to loan match no rule";
    judge(
      {
        [evaluations("OK")]: "0+94x90",
        [evaluations("NO_MATCH")]: "0+6x90",
        [evaluations("OK", "limit")]: "0+96x90",
        [evaluations("NO_MATCH", "limit")]: "0+4x90",
      },
      { "25m": {}, "80m": { DecisionWithoutMatch: [ofLoan, summary] } },
    );
  });

  it("that metrics are folded fire as soon as they are", () => {
    const labels = { ...here, decision_id: "__overflow__", rule_id: "__overflow__" };
    judge(
      {
        [`engine_rule_matches_total{${instance}, decision_id="__overflow__", rule_id="__overflow__"}`]:
          "_x29 1x30",
        [`engine_rule_matches_total{${instance}, decision_id="loan", rule_id="default"}`]: "1x60",
      },
      {
        "28m": {},
        "31m": { MetricsFolded: [labels, "maxSeries exceeded: some series are folded into one"] },
      },
    );
  });

  it("of queues fire on repeated failures, old inputs and dead letters", () => {
    const bulk = (name: string) => `engine_bulk_${name}{${instance}, decision_id="loan"}`;
    judge(
      {
        [bulk("failures_total")]: "0x29 1x60",
        [bulk("oldest_seconds")]: "600x60",
        [bulk("dead_items")]: "0x60",
      },
      { "29m": {}, "31m": {}, "60m": {} },
    );
    judge(
      {
        [bulk("failures_total")]: "0x20 0+1x40",
        [bulk("oldest_seconds")]: "0x20 1200x40",
        [bulk("dead_items")]: "0x20 3x40",
      },
      {
        "20m": {},
        "30m": {
          WorkersFail: [ofLoan, "Workers of loan cannot take or commit batches"],
          BacklogOld: [ofLoan, "Inputs of loan wait for 20m 0s"],
          DeadLetters: [ofLoan, "3 inputs of loan were given up"],
        },
      },
    );
  });
});
