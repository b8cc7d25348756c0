import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MetricsCollector } from "../src/index.js";
import { parseSamples, type Sample, zoo } from "./fixtures.js";

const value = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...zoo));
const labels = fc.dictionary(fc.constantFrom("a", "b", "long_name_1", "_x"), value, { maxKeys: 3 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
const bounds = fc
  .uniqueArray(number, { minLength: 1, maxLength: 40, comparator: (a, b) => a === b })
  .map((list) => list.sort((a, b) => a - b));

/** The identity of a series, as Prometheus defines it. */
function identity(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).filter(([, value]) => value !== "");
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function named(samples: readonly Sample[], name: string): readonly Sample[] {
  return samples.filter((sample) => sample.name === name);
}

describe("counters", () => {
  it("survive a round trip through an independent parser", () => {
    const steps = fc.array(fc.tuple(labels, fc.nat(1000)), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(steps, (steps) => {
        const collector = new MetricsCollector();
        const model = new Map<string, number>();
        for (const [labels, value] of steps) {
          collector.increment("x_total", labels, value);
          model.set(identity(labels), (model.get(identity(labels)) ?? 0) + value);
        }
        const parsed = named(parseSamples(collector.toPrometheus()), "x_total");
        expect(new Map(parsed.map(({ labels, value }) => [identity(labels), value]))).toEqual(model);
        expect(parsed).toHaveLength(model.size);
        for (const [labels] of steps) {
          const reversed = Object.fromEntries(Object.entries(labels).reverse());
          expect(collector.getCounter("x_total", reversed)).toBe(model.get(identity(labels)));
        }
      }),
    );
  });

  it("never lose a count, at any limit", () => {
    const steps = fc.array(labels, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10 }), (steps, maxSeries) => {
        const collector = new MetricsCollector({ maxSeries, logger: { error() {} } });
        for (const labels of steps) collector.increment("x_total", labels);
        const parsed = named(parseSamples(collector.toPrometheus()), "x_total");
        expect(parsed.reduce((sum, { value }) => sum + value, 0)).toBe(steps.length);
        expect(parsed.length).toBeLessThanOrEqual(maxSeries + 1);
        expect(new Set(parsed.map(({ labels }) => identity(labels))).size).toBe(parsed.length);
      }),
    );
  });
});

describe("histograms", () => {
  it("have ascending bounds, cumulative buckets, +Inf equal to count, and the sum", () => {
    // Bounds equal to some of the values, to test the edges of buckets.
    const run = bounds.chain((bounds) =>
      fc.tuple(
        fc.constant(bounds),
        fc.array(fc.oneof(number, fc.constantFrom(...bounds)), { minLength: 1 }),
        labels,
      ),
    );
    fc.assert(
      fc.property(run, ([buckets, values, labels]) => {
        const collector = new MetricsCollector({ buckets });
        for (const value of values) collector.observe("x", labels, value);
        const samples = parseSamples(collector.toPrometheus());
        const found = named(samples, "x_bucket").map(({ labels, value }) => [labels["le"], value] as const);
        const expected = buckets.map((bound) => values.filter((value) => value <= bound).length);
        expect(found.map(([le]) => (le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le)))).toEqual([
          ...buckets.map((bound) => bound + 0),
          Number.POSITIVE_INFINITY,
        ]);
        expect(found.map(([, count]) => count)).toEqual([...expected, values.length]);
        expect(named(samples, "x_count")[0]?.value).toBe(values.length);
        expect(named(samples, "x_count").map(({ labels }) => identity(labels))).toEqual([identity(labels)]);
        const sum = values.reduce((total, value) => total + value, 0);
        const magnitude = values.reduce((total, value) => total + Math.abs(value), 1);
        expect(Math.abs((named(samples, "x_sum")[0]?.value ?? Number.NaN) - sum)).toBeLessThanOrEqual(
          magnitude * 1e-12,
        );
        expect(collector.getHistogram("x", labels).count).toBe(values.length);
      }),
    );
  });
});

describe("both formats", () => {
  it("contain the same samples, except for how bounds are written", () => {
    const positive = fc.double({ noNaN: true, min: 1e-12, max: 1e12 });
    const bounds = fc
      .uniqueArray(positive, { minLength: 1, maxLength: 20 })
      .map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(bounds, fc.array(positive, { minLength: 1 }), labels, (buckets, values, labels) => {
        const collector = new MetricsCollector({ buckets });
        for (const value of values) collector.observe("x", labels, value);
        collector.increment("y_total", labels, 0.5);
        collector.increment("z", labels);
        const numeric = (samples: readonly Sample[]) =>
          samples.map(({ name, labels, value }) => {
            const { le, ...rest } = labels;
            return { name, rest, value, le: le === undefined || le === "+Inf" ? le : Number(le) };
          });
        const openMetrics = parseSamples(collector.render("application/openmetrics-text").body);
        expect(numeric(openMetrics)).toEqual(numeric(parseSamples(collector.toPrometheus())));
        for (const { labels } of openMetrics) {
          if (labels["le"] !== undefined)
            expect(labels["le"]).toMatch(/^(\+Inf|\d+\.\d+|\d(\.\d+)?e[+-]\d\d+)$/);
        }
      }),
    );
  });
});
