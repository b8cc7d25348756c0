import type { EvaluationObserver, MetricsCollectorPort, MetricsFeature } from "@decern/core";
import { describe, expectTypeOf, it } from "vitest";
import { MetricsCollector, type MetricsOptions, metrics } from "../src/index.js";

describe("types", () => {
  it("give a host what core's port asks for", () => {
    expectTypeOf(metrics).returns.toEqualTypeOf<MetricsFeature<MetricsCollector>>();
    expectTypeOf<MetricsCollector>().toExtend<MetricsCollectorPort>();
    expectTypeOf(new MetricsCollector().observer).toEqualTypeOf<EvaluationObserver>();
  });

  it("know the options of the service document, all optional", () => {
    expectTypeOf({}).toExtend<MetricsOptions>();
    expectTypeOf<MetricsOptions>().toHaveProperty("enabled").toEqualTypeOf<boolean | undefined>();
    expectTypeOf<MetricsOptions>().toHaveProperty("endpoint").toEqualTypeOf<string | undefined>();
    expectTypeOf<MetricsOptions>().toHaveProperty("buckets").toEqualTypeOf<readonly number[] | undefined>();
    expectTypeOf<{ path: string }>().not.toExtend<MetricsOptions>();
  });

  it("take strings for labels, and nothing else", () => {
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
