import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namesIn } from "../../../../test/support/promql.js";
import { freePort } from "../support/listening.js";
import { expectedAnswers, send } from "../support/requests.js";
import { killAll, type Service, startProcess, startService } from "../support/service.js";

/** A label set as one line. */
type Series = Record<string, number>;

/** The counts that the service must have, from the requests sent and their expected results. */
function countSent(): { evaluations: Series; rules: Series; durations: Series } {
  const evaluations: Series = {};
  const rules: Series = {};
  const durations: Series = {};
  for (const { method = "POST", body } of expectedAnswers) {
    const status = body?.["status"];
    const meta = body?.["meta"];
    if (method !== "POST" || typeof status !== "string" || typeof meta !== "object" || meta === null)
      continue;
    const { decisionId, matchedRule } = meta as { decisionId: string; matchedRule?: string };
    evaluations[`${decisionId} ${status}`] = (evaluations[`${decisionId} ${status}`] ?? 0) + 1;
    durations[decisionId] = (durations[decisionId] ?? 0) + 1;
    if (matchedRule === undefined) continue;
    rules[`${decisionId} ${matchedRule}`] = (rules[`${decisionId} ${matchedRule}`] ?? 0) + 1;
  }
  return { evaluations, rules, durations };
}

const deploy = (name: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url));
const alerts = deploy("alerts.yaml");

let service: Service;
let prometheus: string;
const folder = mkdtempSync(join(tmpdir(), "decern-prometheus-"));

/** Queries Prometheus. Returns numbers by label values. */
async function query(promql: string): Promise<Series> {
  const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(promql)}`);
  const answer = (await response.json()) as {
    status: string;
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  expect(answer.status).toBe("success");
  return Object.fromEntries(
    answer.data.result.map(({ metric, value }) => [Object.values(metric).join(" "), Number(value[1])]),
  );
}

beforeAll(async () => {
  service = await startService();
  const port = await freePort();
  const config = join(folder, "prometheus.yml");
  writeFileSync(
    config,
    `global:
  scrape_interval: 5s
  scrape_timeout: 5s
  evaluation_interval: 1s
rule_files: ["${alerts}"]
scrape_configs:
  - job_name: decern
    static_configs:
      - targets: ["127.0.0.1:${service.port}"]
`,
  );
  const server = startProcess("prometheus", [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  await server.printed(/Server is ready to receive web requests/);
  prometheus = `http://127.0.0.1:${port}`;
});

afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

describe("a real Prometheus scrapes the demo", () => {
  const sent = countSent();
  let secondsOfSending = 0;

  beforeAll(async () => {
    const before = performance.now();
    for (const entry of expectedAnswers) {
      const response = await send(service.url, entry);
      await response.arrayBuffer();
    }
    secondsOfSending = (performance.now() - before) / 1000;
    // Requests that reach no decision are not counted, so after these, every later scrape is complete.
    const total = Object.values(sent.evaluations).reduce((sum, count) => sum + count, 0);
    while (((await query("sum(engine_evaluations_total)"))[""] ?? 0) < total) await sleep(250);
  });

  it("is up, and the page has no errors", async () => {
    await expect.poll(() => query('up{job="decern"} == 1')).not.toEqual({});
    const page = await (await fetch(`${service.url}/metrics`)).text();
    execFileSync("promtool", ["check", "metrics"], { input: page });
  });

  it("counts evaluations by decision and status", async () => {
    expect(await query("sum by (decision_id, status) (engine_evaluations_total) > 0")).toEqual(
      sent.evaluations,
    );
  });

  it("counts matches by decision and rule", async () => {
    expect(await query("sum by (decision_id, rule_id) (engine_rule_matches_total) > 0")).toEqual(sent.rules);
  });

  it("measures each evaluation in seconds", async () => {
    const counts = await query("sum by (decision_id) (engine_evaluation_duration_seconds_count) > 0");
    expect(counts).toEqual(sent.durations);
    const slowest = await query(
      "histogram_quantile(1, sum by (decision_id, le) (engine_evaluation_duration_seconds_bucket)) > 0",
    );
    expect(Object.keys(slowest).sort()).toEqual(Object.keys(sent.durations).sort());
    for (const seconds of Object.values(slowest)) expect(seconds).toBeGreaterThan(0);
    // Requests were sent one after the other, so their total cannot exceed what the client measured.
    const total = (await query("sum(engine_evaluation_duration_seconds_sum)"))[""];
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(secondsOfSending);
  });

  it("has every metric of the dashboard, but those of what the demo doesn't do", async () => {
    interface Panel {
      readonly targets?: readonly { readonly expr: string }[];
    }
    const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
      readFileSync(deploy("grafana.json"), "utf8"),
    );
    const queries = panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m").replaceAll("$decision", ".*")),
    );
    expect(queries.length).toBeGreaterThan(20);
    // A query that Prometheus cannot parse fails.
    for (const expr of queries) await query(expr);

    const optional = /^engine_(?:bulk|log_records|profile_loads|shadow_evaluations|used_evaluations)_/;
    const missing = async (): Promise<readonly string[]> => {
      const response = await fetch(`${prometheus}/api/v1/label/__name__/values`);
      const { data } = (await response.json()) as { data: readonly string[] };
      const served = new Set(data.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
      return queries.flatMap(namesIn).filter((name) => !served.has(name) && !optional.test(name));
    };
    // Rates are recorded from the second scrape on.
    await expect.poll(missing).toEqual([]);
  });

  it("is what every rule can be evaluated for", async () => {
    const { data } = (await (await fetch(`${prometheus}/api/v1/rules`)).json()) as {
      data: { groups: { rules: { name: string; health: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  });
});
