import { feature } from "../base/kinds.js";
import type { Decision } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import type { EvaluationObserver } from "../service/hooks.js";
import type { ProfileOverride } from "../service/profiles.js";
import type { VersionPolicy } from "../service/version-policy.js";
import type { Feature, FeatureOperation, FeatureRoute } from "./feature.js";

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

/** Explanations as a host takes them: a search for the changes of an input that would change the result. */
export interface ExplainFeature extends Feature {
  readonly [feature]: "explain";
  readonly enabled: boolean;
}

/** What would change the result of one call: the nearest changes of one field of its input, the others as they are. */
export interface Explanation {
  /** The result that would change. */
  readonly envelope: Result;
  /** The fields where some change changes it, the nearest change first. */
  readonly fields: readonly FieldExplanation[];
  /** How many evaluations this took. */
  readonly evaluations: number;
  /** Whether every field was searched in full. False where `skipped` names fields, or the budget was too small. */
  readonly complete: boolean;
  /**
   * JSON Pointers of fields of which not every kind of change was tried: free text, of which only the schema's `examples` and
   * texts of the profile were, what holds no value yet, and what the budget was too small for. Absent where there are none.
   */
  readonly skipped?: readonly string[];
}

/** One field of the input. */
export interface FieldExplanation {
  /** As a JSON Pointer into the input. */
  readonly path: string;
  /** The value that it has, with its default filled in. Absent where it has none. */
  readonly value?: unknown;
  /**
   * Nearest first. Of the values of a number or a date: the nearest that changes the result and, unless that is the same, the
   * nearest that changes the rule. Of anything else: all that were found.
   */
  readonly flips: readonly Flip[];
  /** Which rule matches for which values. Present for numbers and dates. */
  readonly bands?: Bands;
}

/** A value of a field that changes the result. */
export interface Flip {
  /** Absent when the field is to be left out. */
  readonly to?: unknown;
  readonly status: "OK" | "NO_MATCH";
  /** Absent when no rule matches. */
  readonly matchedRule?: string;
  readonly explanation?: string;
  /** The output. Absent when no rule matches. */
  readonly data?: unknown;
  readonly changesRule: boolean;
  readonly changesOutput: boolean;
  /** Whether every value of the field that is nearer was tried. Otherwise there may be a nearer one. */
  readonly isNearest: boolean;
}

/** The values of a number or a date, from the lowest that was tried to the highest. */
export interface Bands {
  /** The distance of neighbouring values: of a number as it is, of a date in days. */
  readonly step: number;
  /**
   * Whether no band is missing: every value was tried, or the decision's logic, such as a table, says where bands end. Otherwise a
   * band may lie hidden in another band. Edges are to the step.
   */
  readonly exact: boolean;
  readonly list: readonly Band[];
}

/** Neighbouring values with the same rule. */
export interface Band {
  readonly from: unknown;
  readonly to: unknown;
  /** Of an envelope, or `ERROR`. */
  readonly status: string;
  readonly matchedRule?: string;
}

/** How callers prove who they are, as OpenAPI 3.0 describes it. */
export interface SecurityDescription {
  /** Name of the scheme, such as `apiKey`. */
  readonly name: string;
  /** An OpenAPI 3.0 Security Scheme Object. */
  readonly scheme: Readonly<Record<string, unknown>>;
}

/** What a host serves in addition to its decisions, for the document that describes it. */
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
  /** Whether the server tells what would change a result. @default false */
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

/** A route of a feature as a document describes it. */
export type DescribedRoute = Pick<FeatureRoute, "method" | "path" | "open"> & {
  readonly operation: FeatureOperation;
};
