import { createEvaluator } from "@decern/core";
import { metrics, trace } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { openTelemetry } from "../src/index.js";
import { inMemoryMetrics, inMemoryTraces, points } from "./fixtures.js";

it("without an SDK nothing is followed; one that is registered later gets what comes then", async () => {
  const observer = openTelemetry();
  const evaluator = createEvaluator({ observers: [observer] });
  const input = { score: 700 };
  expect(evaluator.evaluate(points, { input })).toMatchObject({ status: "OK" });
  expect(observer.onStarted?.({ decision: points, request: undefined })).toBeUndefined();

  const { tracerProvider, spans } = inMemoryTraces();
  const { meterProvider, histograms } = inMemoryMetrics();
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  evaluator.evaluate(points, { input });
  expect(spans().map(({ name }) => name)).toEqual(["evaluate points"]);
  const [histogram] = await histograms();
  expect(histogram?.dataPoints.map(({ value }) => value.count)).toEqual([1]);
});
