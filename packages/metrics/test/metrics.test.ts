import { readFileSync } from "node:fs";
import { DecernError } from "@decern/core";
import { feature } from "@decern/core/options";
import { describe, expect, it } from "vitest";
import { MetricsCollector, type MetricsOptions, metrics } from "../src/index.js";
import { parseSamples } from "./fixtures.js";

/** Options as untyped JavaScript may pass them. */
const loose = (options: Record<string, unknown>): MetricsOptions => options;

describe("metrics(options)", () => {
  it("is off by default, at /metrics", () => {
    expect(metrics()).toMatchObject({ [feature]: "metrics", enabled: false, endpoint: "/metrics" });
    expect(metrics({ enabled: true, endpoint: "/internal/prom" })).toMatchObject({
      enabled: true,
      endpoint: "/internal/prom",
    });
  });

  it("creates a separate collector each time, and renders it", () => {
    const m = metrics({ enabled: true, processMetrics: false });
    expect(m.collector).toBeInstanceOf(MetricsCollector);
    m.collector.increment("x_total");
    expect(m.render(undefined).body).toBe(m.collector.toPrometheus());
    expect(metrics({ enabled: true }).collector.getCounter("x_total")).toBe(0);
  });

  it("has the contract's buckets or the host's, and copies the host's list", () => {
    const bounds = (collector: MetricsCollector): readonly (string | undefined)[] => {
      collector.observe("x_seconds", {}, 1);
      return parseSamples(collector.toPrometheus()).flatMap(({ labels }) => labels["le"] ?? []);
    };
    expect(bounds(metrics().collector).map(Number).slice(0, -1)).toEqual([
      0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]);
    const buckets = [-1, 0, 2.5];
    const { collector } = metrics({ buckets });
    buckets.push(1);
    expect(bounds(collector)).toEqual(["-1", "0", "2.5", "+Inf"]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["an unknown option", { path: "/metrics" }, "/path"],
    ["enabled that is not a boolean", { enabled: "yes" }, "/enabled"],
    ["an endpoint without a leading slash", { endpoint: "metrics" }, "/endpoint"],
    ["the root", { endpoint: "/" }, "/endpoint"],
    ["an empty endpoint", { endpoint: "" }, "/endpoint"],
    ["an endpoint with a pattern", { endpoint: "/:any" }, "/endpoint"],
    ["an endpoint with a query", { endpoint: "/metrics?x" }, "/endpoint"],
    ["an endpoint with ..", { endpoint: "/a/../metrics" }, "/endpoint"],
    ["an endpoint with a line end", { endpoint: "/metrics\n" }, "/endpoint"],
    ["an endpoint that is a URL", { endpoint: "http://localhost/metrics" }, "/endpoint"],
    ["no buckets", { buckets: [] }, "/buckets"],
    ["buckets that are not a list", { buckets: 5 }, "/buckets"],
    ["buckets that descend", { buckets: [1, 0.5] }, "/buckets/1"],
    ["a duplicate bucket", { buckets: [1, 2, 2] }, "/buckets/2"],
    ["an infinite bucket", { buckets: [1, Number.POSITIVE_INFINITY] }, "/buckets/1"],
    ["a bucket that is not a number", { buckets: [Number.NaN, 1] }, "/buckets/0"],
    ["a bucket that is text", { buckets: ["1"] }, "/buckets/0"],
    ["no series at all", { maxSeries: 0 }, "/maxSeries"],
    ["half a series", { maxSeries: 1.5 }, "/maxSeries"],
    ["a build that is not text", { build: 7 }, "/build"],
    ["a logger without methods", { logger: {} }, "/logger/error"],
    ["null as logger", { logger: null }, "/logger"],
  ])("refuses %s", (_what, options, path) => {
    expect(() => metrics(loose(options))).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: [expect.objectContaining({ path })],
      }),
    );
  });

  it("lists every problem at once", () => {
    const call = (): unknown => metrics(loose({ enabled: 1, endpoint: "x", buckets: [2, 1], maxSeries: -1 }));
    expect(call).toThrow(DecernError);
    expect(call).toThrow(/\/buckets\/1.*\/maxSeries.*\/enabled.*\/endpoint/s);
  });
});

describe("the metrics of the process", () => {
  const samples = (options: MetricsOptions) =>
    new Map(parseSamples(metrics(options).render(undefined).body).map((sample) => [sample.name, sample]));

  it("are on the page of a host, measured for each page", () => {
    const m = metrics({ enabled: true, build: "4f2a" });
    const read = (name: string) =>
      parseSamples(m.render(undefined).body).find((sample) => sample.name === name)?.value;
    const before = read("process_cpu_seconds_total");
    const { user, system } = process.cpuUsage();
    for (let spent = process.cpuUsage(); spent.user + spent.system < user + system + 20_000; )
      spent = process.cpuUsage();
    expect(read("process_cpu_seconds_total")).toBeGreaterThan(before ?? Number.NaN);
    expect(read("process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1000, 3);
    expect(read("process_resident_memory_bytes")).toBeGreaterThan(process.memoryUsage().heapUsed / 2);
    const build = parseSamples(m.render(undefined).body).find(({ name }) => name === "decern_build_info");
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(build).toMatchObject({
      labels: { version, node_version: process.versions.node, build: "4f2a" },
      value: 1,
    });
  });

  it("show how long the event loop was blocked since the last page", async () => {
    const m = metrics({ enabled: true });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 60));
    await turn();
    const until = performance.now() + 200;
    while (performance.now() < until);
    await turn();
    const lag = parseSamples(m.render(undefined).body).find(
      ({ name }) => name === "nodejs_eventloop_lag_max_seconds",
    );
    expect(lag?.value).toBeGreaterThan(0.15);
    expect(m.render(undefined).body).not.toMatch(/^nodejs_eventloop_lag_\w+ /m);
  });

  it("are absent when metrics are off, when the host asks for it, and from a collector of its own", () => {
    const owned = /^(process|nodejs|decern)_/;
    for (const options of [{}, { enabled: true, processMetrics: false }])
      expect([...samples(options).keys()].filter((name) => owned.test(name))).toEqual([]);
    expect(new MetricsCollector().toPrometheus()).not.toMatch(/process_|nodejs_|decern_/);
  });

  it("have an info metric in OpenMetrics", () => {
    const { body } = metrics({ enabled: true }).render("application/openmetrics-text");
    expect(body).toMatch(/^# TYPE decern_build info$/m);
    expect(body).toMatch(/^decern_build_info\{.*\} 1$/m);
  });
});

describe("new MetricsCollector(options)", () => {
  it("refuses unknown options", () => {
    const options = loose({ enabled: true });
    expect(() => new MetricsCollector(options)).toThrow("/enabled");
    expect(() => new MetricsCollector({ buckets: [1, 1] })).toThrow("/buckets/1");
  });
});
