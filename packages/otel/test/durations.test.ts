import { createEvaluator, DecernError } from "@decern/core";
import { expect, it } from "vitest";
import { openTelemetry } from "../src/index.js";
import { inMemoryMetrics, points, silent, slowClock, version } from "./fixtures.js";

it("durations are measured in seconds, by decision, version and status", async () => {
  const { meterProvider, histograms, scopes } = inMemoryMetrics();
  const observers = [openTelemetry({ meterProvider })];
  const evaluator = createEvaluator({ observers, clock: slowClock(), logger: silent });
  const input = { score: 700 };
  evaluator.evaluate(points, { input });
  evaluator.evaluate(points, { input });
  expect(() => evaluator.evaluate(points, { input: { score: 13 } })).toThrow(DecernError);
  const [histogram, ...others] = await histograms();
  expect(others).toEqual([]);
  expect(scopes()).toMatchObject([{ name: "@decern/otel", version }]);
  expect(histogram?.descriptor).toMatchObject({ name: "decern.evaluation.duration", unit: "s" });
  const decision = { "decern.decision.id": "points", "decern.decision.version": "2.0.0" };
  expect(
    histogram?.dataPoints.map(({ attributes, value: { count, sum } }) => ({ attributes, count, sum })),
  ).toEqual([
    { attributes: { ...decision, "decern.status": "OK" }, count: 2, sum: 0.5 },
    { attributes: { ...decision, "decern.status": "ERROR" }, count: 1, sum: 0.25 },
  ]);
});

it("the buckets tell microseconds from milliseconds", async () => {
  const { meterProvider, histograms } = inMemoryMetrics();
  const observers = [openTelemetry({ meterProvider })];
  createEvaluator({ observers, clock: slowClock() }).evaluate(points, { input: { score: 700 } });
  const [histogram] = await histograms();
  const { boundaries = [], counts = [] } = histogram?.dataPoints[0]?.value.buckets ?? {};
  expect(boundaries[0]).toBe(0.00001);
  expect(boundaries.at(-1)).toBe(10);
  // A quarter of a second is on the bound of its bucket.
  expect(boundaries[counts.indexOf(1)]).toBe(0.25);
});
