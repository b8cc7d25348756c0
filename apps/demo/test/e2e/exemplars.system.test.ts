import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import { afterAll, expect, it } from "vitest";
import { decisions, profiles, versions } from "../../src/decisions/index.js";
import { freePort } from "../support/listening.js";
import { send } from "../support/requests.js";
import { killAll, startProcess } from "../support/service.js";

const folder = mkdtempSync(join(tmpdir(), "decern-exemplars-"));
const server = createServer({
  decisions,
  profiles,
  versions,
  metrics: metrics({ enabled: true, exemplars: true }),
});

afterAll(async () => {
  killAll();
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

it("a real Prometheus stores the request and the trace of a bucket", async () => {
  const { port } = new URL(await server.listen(0, { host: "127.0.0.1" }));
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const response = await send(
    `http://127.0.0.1:${port}`,
    { file: "loan-approval/prime.json", path: "/decisions/loan-approval", status: 200 },
    { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
  );
  expect(response.status).toBe(200);

  const prometheusPort = await freePort();
  const config = join(folder, "prometheus.yml");
  writeFileSync(
    config,
    `global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs: [{ job_name: decern, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }]
`,
  );
  const prometheus = startProcess("prometheus", [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    "--enable-feature=exemplar-storage",
  ]);
  await prometheus.printed(/Server is ready to receive web requests/);
  const stored = async (): Promise<readonly unknown[]> => {
    const now = Date.now() / 1000;
    const range = `start=${now - 600}&end=${now + 60}`;
    const query = "query=engine_evaluation_duration_seconds_bucket";
    const found = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/query_exemplars?${query}&${range}`);
    const { data } = (await found.json()) as {
      data: readonly { readonly exemplars: readonly { readonly labels: unknown }[] }[];
    };
    return data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels));
  };
  await expect
    .poll(stored)
    .toContainEqual({ request_id: response.headers.get("x-request-id"), trace_id: trace });
});
