import type { EvaluationObserver, MetricsCollectorPort, MetricsFeature } from "@decern/core";
import { describe, expectTypeOf, it } from "vitest";
import { MetricsCollector, type MetricsOptions, metrics } from "../src/index.js";

describe("types", () => {
  it("implement core's port for hosts", () => {
    expectTypeOf(metrics).returns.toEqualTypeOf<MetricsFeature<MetricsCollector>>();
    expectTypeOf<MetricsCollector>().toExtend<MetricsCollectorPort>();
    expectTypeOf(new MetricsCollector().observer).toEqualTypeOf<EvaluationObserver>();
  });

  it("have only optional options", () => {
    expectTypeOf({}).toExtend<MetricsOptions>();
    expectTypeOf<MetricsOptions>().toHaveProperty("enabled").toEqualTypeOf<boolean | undefined>();
    expectTypeOf<MetricsOptions>().toHaveProperty("endpoint").toEqualTypeOf<string | undefined>();
    expectTypeOf<MetricsOptions>().toHaveProperty("buckets").toEqualTypeOf<readonly number[] | undefined>();
    expectTypeOf<{ path: string }>().not.toExtend<MetricsOptions>();
  });

  it("accept only strings as label values", () => {
    const collector = new MetricsCollector();
    expectTypeOf(collector.increment)
      .parameter(1)
      .toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
    expectTypeOf(collector.observe).parameters.toEqualTypeOf<
      [string, Readonly<Record<string, string>>, number]
    >();
    expectTypeOf(collector.getHistogram).returns.toEqualTypeOf<{
      readonly sum: number;
      readonly count: number;
    }>();
  });
});
