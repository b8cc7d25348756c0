import { DecernError } from "@decern/core";
import { feature } from "@decern/core/host";
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
    const m = metrics({ enabled: true });
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

describe("new MetricsCollector(options)", () => {
  it("refuses unknown options", () => {
    const options = loose({ enabled: true });
    expect(() => new MetricsCollector(options)).toThrow("/enabled");
    expect(() => new MetricsCollector({ buckets: [1, 1] })).toThrow("/buckets/1");
  });
});
