import type { Decision } from "../definition/decision.js";
import type { DescribedRoute } from "../facades/facade-operation.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import type { ProfileOverride } from "../profiles/profile-resolver.js";
import type { VersionPolicy } from "../versions/version-policy.js";

/** Marks what a sibling package built, so that a host can tell it from plain options. The same across copies of this package. */
export const feature: unique symbol = Symbol.for("decern.feature");

export type MetricLabels = Readonly<Record<string, string>>;

/** What any collector of metrics can do. */
export interface MetricsCollectorPort {
  /** Adds to a counter. @param value - @default 1 */
  increment(name: string, labels?: MetricLabels, value?: number): void;
  /** Records a value in a histogram. */
  observe(name: string, labels: MetricLabels, value: number): void;
  getCounter(name: string, labels?: MetricLabels): number;
  getHistogram(name: string, labels: MetricLabels): { readonly sum: number; readonly count: number };
  /** Everything, in the Prometheus text format 0.0.4. */
  toPrometheus(): string;
  reset(): void;
}

/** Metrics as a host takes them: an observer to plug in, and a page to serve. */
export interface MetricsFeature<Collector extends MetricsCollectorPort = MetricsCollectorPort> {
  readonly [feature]: "metrics";
  readonly enabled: boolean;
  /** Path of the page, with its leading slash. */
  readonly endpoint: string;
  readonly collector: Collector;
  readonly observer: EvaluationObserver;
  /** The page, in the format that a scraper's `Accept` header asks for. */
  render(accept: string | undefined): { readonly contentType: string; readonly body: string };
}

/** How callers prove who they are, as OpenAPI 3.0 describes it. */
export interface SecurityDescription {
  /** Name of the scheme, such as `apiKey`. */
  readonly name: string;
  /** An OpenAPI 3.0 Security Scheme Object. */
  readonly scheme: Readonly<Record<string, unknown>>;
}

/** What a host serves beside its decisions, for the document that describes it. */
export interface ServiceDescription {
  /** Absent where there is no such page. */
  readonly metricsEndpoint?: string | undefined;
  readonly openapiEndpoint?: string | undefined;
  readonly swaggerEndpoint?: string | undefined;
  /**
   * Where this copy of the document is read: the server's URL in it is relative, so that all may be behind a path prefix.
   * @default the UI's own copy, `<swaggerEndpoint>/json`, else `openapiEndpoint`
   */
  readonly documentPath?: string | undefined;
  /** Whether there is a page at `/docs`. @default true */
  readonly docs?: boolean | undefined;
  /** What the profile in the body of an evaluation does. With `false`, there may be none. @default "replace" */
  readonly profileOverride?: ProfileOverride | undefined;
  /** Whether the server sheds load with 503. */
  readonly sheddingLoad?: boolean | undefined;
  /** Whether calls are recorded. @default false */
  readonly records?: boolean | undefined;
  /** Whether the server tells what would change an answer. @default false */
  readonly explains?: boolean | undefined;
  /** The most inputs in a batch. Absent where none are served. */
  readonly maxBatch?: number | undefined;
  readonly security?: SecurityDescription | undefined;
  /** Whether the metrics page needs no authentication. @default false */
  readonly publicMetrics?: boolean | undefined;
  /** Names of the profiles that callers may choose, by id of the decision. */
  readonly callerProfiles?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** By id of the decision. Required for each id with several versions. */
  readonly versions?: Readonly<Record<string, Omit<VersionPolicy, "select">>> | undefined;
  /** The routes of facades. @default none */
  readonly facades?: readonly DescribedRoute[] | undefined;
}

/** OpenAPI as a host takes it: a document to build, and where to serve it. */
export interface OpenAPIFeature {
  readonly [feature]: "openapi";
  readonly enabled: boolean;
  /** Path of the document, with its leading slash. */
  readonly endpoint: string;
  readonly swaggerUI: boolean;
  /** Path of the UI, with its leading slash. */
  readonly swaggerEndpoint: string;
  /** An OpenAPI 3.0.3 document. */
  buildDocument(
    decisions: readonly Decision[],
    service: ServiceDescription,
  ): Readonly<Record<string, unknown>>;
}
