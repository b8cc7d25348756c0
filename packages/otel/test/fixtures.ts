import { readFileSync } from "node:fs";
import { type Clock, defineDecision, type Logger } from "@decern/core";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { z } from "zod";

/** A score of 13 makes its rule throw. */
export const points = defineDecision({
  id: "points",
  version: "2.0.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "counted",
      when: ({ score }) => {
        if (score === 13) throw new Error("secret of the rule");
        return score > 0;
      },
      emit: ({ score }) => ({ points: score }),
    },
  ],
});

/** Uses `points` through `rating`, so that there are three levels. */
export const rating = defineDecision({
  id: "rating",
  version: "1.1.0",
  inputSchema: z.object({ score: z.number() }),
  outputSchema: z.object({ good: z.boolean() }),
  profileSchema: z.object({}),
  uses: [points],
  rules: [
    {
      id: "good",
      when: (input, _profile, context) => context.evaluate(points, input).status === "OK",
      emit: () => ({ good: true }),
    },
  ],
});

export const loan = defineDecision({
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({ score: z.number(), name: z.string().default("") }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({}),
  uses: [rating, points],
  rules: [
    {
      id: "rated",
      when: ({ score }, _profile, context) =>
        context.evaluate(rating, { score }).status === "OK" &&
        context.evaluate(points, { score: score + 1 }).status === "OK",
      emit: () => ({ approved: true }),
    },
  ],
});

export const silent: Logger = { error() {} };

/** A clock on which every evaluation takes a quarter of a second. */
export function slowClock(): Clock {
  let ticks = 0;
  return {
    now: () => 0,
    monotonic: () => {
      ticks += 250;
      return ticks;
    },
  };
}

/** A tracer provider of the SDK, and what it has exported. */
export function inMemoryTraces(sampler?: Sampler) {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracerProvider = new BasicTracerProvider({ spanProcessors, ...(sampler && { sampler }) });
  return { tracerProvider, spans: () => exporter.getFinishedSpans() };
}

/** This package's version, as npm reads it. */
export const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** A meter provider of the SDK, and the points of the histogram that it has exported. */
export function inMemoryMetrics() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const histograms = async (): Promise<readonly HistogramMetricData[]> => {
    await meterProvider.forceFlush();
    const metrics =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    return metrics.filter((metric) => metric.dataPointType === DataPointType.HISTOGRAM);
  };
  const scopes = () =>
    exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.map(({ scope }) => scope));
  return { meterProvider, histograms, scopes };
}

/** Without one, `context.active()` knows nothing of promises. */
export function enableContexts(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

/** The names of spans, each below its parent. */
export function treeOf(spans: readonly ReadableSpan[]): unknown {
  const below = (parent: string | undefined): unknown =>
    Object.fromEntries(
      spans
        .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
        .toSorted(
          (one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1],
        )
        .map((span) => [span.name, below(span.spanContext().spanId)]),
    );
  return below(undefined);
}

export function spanNamed(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const span = spans.find((candidate) => candidate.name === name);
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
}
