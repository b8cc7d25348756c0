import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { MetricsCollector } from "../src/index.js";
import { recordingLogger, sampleLines } from "./fixtures.js";

describe("counters", () => {
  it("increase by one, by a value, and by zero", () => {
    const collector = new MetricsCollector();
    collector.increment("loans_total");
    collector.increment("loans_total", {}, 2.5);
    collector.increment("loans_total", undefined, 0);
    expect(collector.getCounter("loans_total")).toBe(3.5);
  });

  it("treat labels in any order as the same series", () => {
    const collector = new MetricsCollector();
    collector.increment("loans_total", { branch: "north", kind: "car" });
    collector.increment("loans_total", { kind: "car", branch: "north" });
    collector.increment("loans_total", { kind: "car", branch: "north" });
    expect(collector.getCounter("loans_total", { branch: "north", kind: "car" })).toBe(3);
    expect(collector.getCounter("loans_total", { kind: "car", branch: "north" })).toBe(3);
    expect(sampleLines(collector.toPrometheus())).toEqual(['loans_total{branch="north",kind="car"} 3']);
  });

  it("find a series by labels in an order not used before", () => {
    const collector = new MetricsCollector();
    collector.increment("loans_total", { z: "1", y: "2", x: "3" });
    expect(collector.getCounter("loans_total", { y: "2", z: "1", x: "3" })).toBe(1);
  });

  it("distinguish series by label name, by value, and by where a value ends", () => {
    const collector = new MetricsCollector();
    const different = [
      {},
      { a: "1" },
      { b: "1" },
      { a: "1", b: "1" },
      { a: "1b", b: "" },
      { a: '1",b="1' },
      { a: "1,b=1" },
    ];
    for (const [index, labels] of different.entries()) collector.increment("x_total", labels, index + 1);
    expect(different.map((labels) => collector.getCounter("x_total", labels))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("treat an empty label as absent, as Prometheus does", () => {
    const collector = new MetricsCollector();
    collector.increment("x_total", { a: "1", b: "" });
    collector.increment("x_total", { a: "1" });
    collector.increment("x_total", { b: "", a: "1" });
    expect(sampleLines(collector.toPrometheus())).toEqual(['x_total{a="1",b=""} 3']);
  });

  it("treat strings that UTF-8 cannot encode as their encoded replacement", () => {
    const collector = new MetricsCollector();
    collector.increment("x_total", { a: "\ud800!" });
    collector.increment("x_total", { a: "\udfff!" });
    collector.increment("x_total", { a: "🎉" });
    expect(sampleLines(collector.toPrometheus())).toEqual(['x_total{a="\ufffd!"} 2', 'x_total{a="🎉"} 1']);
    expect(collector.getCounter("x_total", { a: "\udc00!" })).toBe(2);
  });

  it("read as zero when nothing was counted, and reading creates no series", () => {
    const collector = new MetricsCollector();
    collector.increment("x_total", { a: "1" });
    const before = collector.toPrometheus();
    expect(collector.getCounter("x_total", { a: "2" })).toBe(0);
    expect(collector.getCounter("y_total")).toBe(0);
    expect(collector.getHistogram("z_seconds", {})).toEqual({ sum: 0, count: 0 });
    expect(collector.toPrometheus()).toBe(before);
  });
});

describe("histograms", () => {
  it("keep the sum and count of each series", () => {
    const collector = new MetricsCollector();
    collector.observe("wait_seconds", { bureau: "a" }, 0.25);
    collector.observe("wait_seconds", { bureau: "a" }, 0.5);
    collector.observe("wait_seconds", { bureau: "b" }, 8);
    expect(collector.getHistogram("wait_seconds", { bureau: "a" })).toEqual({ sum: 0.75, count: 2 });
    expect(collector.getHistogram("wait_seconds", { bureau: "b" })).toEqual({ sum: 8, count: 1 });
  });
});

describe("refuses what Prometheus cannot read", () => {
  const collector = new MetricsCollector();
  collector.increment("used_total");
  collector.observe("used_seconds", {}, 1);

  it.each<[what: string, call: () => unknown, detail: string]>([
    ["an empty metric name", () => collector.increment(""), 'metric name ""'],
    ["a metric name with a dash", () => collector.increment("loans-total"), '"loans-total"'],
    ["a metric name that starts with a digit", () => collector.observe("2_seconds", {}, 1), '"2_seconds"'],
    ["a metric name with a line break", () => collector.increment("a_total\n"), '"a_total\\n"'],
    ["a label name with a dot", () => collector.increment("x_total", { "a.b": "1" }), '"a.b"'],
    ["a label name with a colon", () => collector.increment("x_total", { "a:b": "1" }), '"a:b"'],
    [
      "a label name that Prometheus reserves",
      () => collector.increment("x_total", { __name__: "y" }),
      "__name__",
    ],
    ["the buckets' own label", () => collector.observe("x_seconds", { le: "1" }, 1), '"le"'],
    ["the buckets' label on a counter", () => collector.increment("x_total", { le: "1" }), '"le"'],
    ["the label of summaries", () => collector.set("x", { quantile: "0.5" }, 1), '"quantile"'],
    ...["bucket", "count", "sum", "created", "gcount", "gsum", "info"].flatMap((suffix) =>
      [
        () => collector.increment(`x_${suffix}`),
        () => collector.set(`x_${suffix}`, {}, 1),
        () => collector.observe(`x_${suffix}`, {}, 1),
      ].map(
        (call) =>
          [`a name that ends in _${suffix}`, call, `must not end in _${suffix}`] satisfies [
            string,
            () => unknown,
            string,
          ],
      ),
    ),
    ["a gauge named like a counter", () => collector.set("x_total", {}, 1), "is for counters"],
    ["a histogram named like a counter", () => collector.observe("x_total", {}, 1), "is for counters"],
    ["a negative increment", () => collector.increment("x_total", {}, -1), "-1"],
    ["an increment of NaN", () => collector.increment("x_total", {}, Number.NaN), "NaN"],
    [
      "an increment of Infinity",
      () => collector.increment("x_total", {}, Number.POSITIVE_INFINITY),
      "Infinity",
    ],
    ["an observation of NaN", () => collector.observe("x_seconds", {}, Number.NaN), "NaN"],
    [
      "an infinite observation",
      () => collector.observe("x_seconds", {}, Number.NEGATIVE_INFINITY),
      "-Infinity",
    ],
    ["an increment of a histogram", () => collector.increment("used_seconds"), "is a histogram"],
    ["an observation on a counter", () => collector.observe("used_total", {}, 1), "is a counter"],
    ["a histogram read as a counter", () => collector.getCounter("used_seconds"), "is a histogram"],
    ["a counter read as a histogram", () => collector.getHistogram("used_total", {}), "is a counter"],
    [
      "a counter named like a histogram's sample",
      () => collector.increment("used_seconds_count"),
      "used_seconds",
    ],
    ["a histogram whose sample names are in use", () => collector.observe("used", {}, 1), "used_total"],
    ["a counter whose name differs only by _total", () => collector.increment("used"), "used_total"],
  ])("%s", (_what, call, detail) => {
    const before = collector.toPrometheus();
    expect(call).toThrow(DecernError);
    expect(call).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS", message: expect.stringContaining(detail) }),
    );
    expect(collector.toPrometheus()).toBe(before);
  });

  it("a label that is not a string, even if the series exists and in another order", () => {
    const collector = new MetricsCollector();
    collector.increment("x_total", { a: "1", b: "" });
    const loose: (labels: unknown) => Record<string, string> = (labels) => JSON.parse(JSON.stringify(labels));
    expect(() => collector.increment("x_total", loose({ a: 1 }))).toThrow('label "a"');
    expect(() => collector.increment("x_total", loose({ b: null, a: "1" }))).toThrow('label "b"');
    expect(collector.getCounter("x_total", { a: "1" })).toBe(1);
  });
});

describe("labels that are not an object", () => {
  it.each([[null], [5], ["text"], [true], [["a"]], [new Map([["a", "b"]])], [new Set(["a"])], [() => {}]])(
    "are refused rather than treated as no labels: %s",
    (labels) => {
      const collector = new MetricsCollector();
      collector.increment("x_total");
      collector.observe("x_seconds", {}, 1);
      const given = labels as unknown as Record<string, string>;
      for (const call of [
        () => collector.increment("x_total", given),
        () => collector.observe("x_seconds", given, 1),
        () => collector.getCounter("x_total", given),
        () => collector.getHistogram("x_seconds", given),
      ]) {
        expect(call).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
      }
      expect(collector.getCounter("x_total")).toBe(1);
    },
  );
});

describe("the limit on series", () => {
  it("folds further series into one, and logs that once", () => {
    const logger = recordingLogger();
    const collector = new MetricsCollector({ maxSeries: 3, logger });
    for (let index = 0; index < 10; index += 1) {
      collector.increment("x_total", { user: `u${index}`, kind: "a" });
      collector.observe("x_seconds", { user: `u${index}` }, 1);
    }
    expect(sampleLines(collector.toPrometheus()).filter((line) => line.startsWith("x_total"))).toEqual([
      'x_total{user="u0",kind="a"} 1',
      'x_total{user="u1",kind="a"} 1',
      'x_total{user="u2",kind="a"} 1',
      'x_total{kind="__overflow__",user="__overflow__"} 7',
    ]);
    expect(collector.getHistogram("x_seconds", { user: "__overflow__" })).toEqual({ sum: 7, count: 7 });
    expect(logger.lines).toEqual([
      [{ metric: "x_total", maxSeries: 3 }, expect.stringContaining("too many series")],
      [{ metric: "x_seconds", maxSeries: 3 }, expect.stringContaining("too many series")],
    ]);
  });

  it("keeps counting existing series, with labels in any order", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    collector.increment("x_total", { a: "1", b: "1" });
    collector.increment("x_total", { a: "2", b: "1" });
    collector.increment("x_total", { b: "1", a: "1" });
    expect(collector.getCounter("x_total", { a: "1", b: "1" })).toBe(2);
  });

  it("still refuses bad labels", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    collector.increment("x_total", { a: "1" });
    collector.increment("x_total", { a: "2" });
    expect(() => collector.increment("x_total", { "a-b": "3" })).toThrow("a-b");
  });

  it("gives the overflow series a label if the refused series has none", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    collector.increment("x_total", { a: "1" });
    collector.increment("x_total");
    expect(sampleLines(collector.toPrometheus())).toEqual([
      'x_total{a="1"} 1',
      'x_total{overflow="__overflow__"} 1',
    ]);
  });

  it("shares a series with a host that uses the overflow's own labels", () => {
    const collector = new MetricsCollector({ maxSeries: 1, logger: recordingLogger() });
    collector.increment("x_total", { a: "__overflow__" });
    collector.increment("x_total", { a: "other" });
    expect(sampleLines(collector.toPrometheus())).toEqual(['x_total{a="__overflow__"} 2']);
  });

  it("is 10,000 by default", () => {
    const logger = recordingLogger();
    const collector = new MetricsCollector({ logger });
    for (let index = 0; index < 10_000; index += 1) collector.increment("x_total", { n: String(index) });
    expect(logger.lines).toEqual([]);
    collector.increment("x_total", { n: "one more" });
    expect(logger.lines).toHaveLength(1);
    expect(sampleLines(collector.toPrometheus())).toHaveLength(10_001);
  });
});

describe("reset", () => {
  it("clears everything, including kinds, and does not repeat log messages", () => {
    const logger = recordingLogger();
    const collector = new MetricsCollector({ maxSeries: 1, logger });
    const empty = collector.toPrometheus();
    for (let round = 0; round < 2; round += 1) {
      collector.increment("x", { a: "1" });
      collector.increment("x", { a: "2" });
      collector.reset();
      expect(collector.toPrometheus()).toBe(empty);
    }
    collector.observe("x", {}, 1);
    expect(collector.getHistogram("x", {})).toEqual({ sum: 1, count: 1 });
    expect(logger.lines).toHaveLength(1);
  });
});
