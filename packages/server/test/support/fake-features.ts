import type { EvaluationEvent, MetricsFeature, OpenAPIFeature, ServiceDescription } from "@decern/core";
import { feature } from "@decern/core/options";

/** Stands in for what `@decern/metrics` builds. Only counts evaluations. */
export function fakeMetrics(endpoint = "/metrics"): MetricsFeature & { readonly events: EvaluationEvent[] } {
  const events: EvaluationEvent[] = [];
  return {
    [feature]: "metrics",
    enabled: true,
    endpoint,
    events,
    collector: {
      increment() {},
      observe() {},
      getCounter: () => events.length,
      getHistogram: () => ({ sum: 0, count: events.length }),
      toPrometheus: () => `evaluations ${events.length}\n`,
      reset: () => void events.splice(0),
    },
    observer: { onEvaluated: (event) => void events.push(event) },
    render: (accept) => ({
      contentType: accept === "a/b" ? "a/b" : "text/plain",
      body: `evaluations ${events.length}\n`,
    }),
  };
}

/** Stands in for what `@decern/openapi` builds: a document that repeats what it was given. */
export function fakeOpenAPI(
  given: Partial<Pick<OpenAPIFeature, "enabled" | "endpoint" | "swaggerUI" | "swaggerEndpoint">> = {},
): OpenAPIFeature & { readonly built: ServiceDescription[] } {
  const built: ServiceDescription[] = [];
  return {
    [feature]: "openapi",
    enabled: true,
    endpoint: "/openapi.json",
    swaggerUI: true,
    swaggerEndpoint: "/swagger",
    built,
    buildDocument(decisions, service) {
      built.push(service);
      return {
        openapi: "3.0.3",
        info: { title: "Fake", version: "1" },
        paths: {},
        "x-ids": decisions.map(({ id }) => id),
      };
    },
    ...given,
  };
}
