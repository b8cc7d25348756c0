import type { ErrorReply, Problem } from "../base/errors.js";
import type { JsonSchema } from "../base/json-schema.js";
import type { feature } from "../base/kinds.js";
import type { Awaitable } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import type { Call } from "../decision/evaluate.js";
import type { Result } from "../decision/result.js";
import type { EvaluationObserver } from "../service/hooks.js";
import type { ProfileOverride } from "../service/profiles.js";
import type { Origin } from "../service/request-view.js";
import type { VersionPolicy } from "../service/version-policy.js";
import type { Reply } from "./reply.js";

/**
 * Something that a host serves in addition to its decisions: routes of your own, an observer, or both. Metrics, explanations and
 * protocols such as AuthZEN are features too. Give yours to a server, a router or a plugin in the option `features`.
 *
 * @example
 * ```ts
 * const version: Feature = {
 *   name: "version",
 *   routes: () => [{ method: "GET", path: "/version", answer: () => ({ status: 200, body: JSON.stringify({ build }) }) }],
 * };
 * createServer({ decisions, features: [version] });
 * ```
 */
export interface Feature {
  /** For messages. */
  readonly name: string;
  /** Watches every evaluation, like those of the option `observers`. */
  readonly observer?: EvaluationObserver | undefined;
  /** Finds problems before the host starts. @param decisions - every version that it serves */
  check?(decisions: readonly Decision[]): readonly Problem[];
  /** Called once by every host that it is given to. */
  routes?(host: FeatureHost): readonly FeatureRoute[];
}

/**
 * A protocol that a host speaks alongside its own routes, such as AuthZEN. Its routes are evaluated as the decisions' own are:
 * with the same hooks, profiles, versions, records, metrics and access checks.
 */
export interface Facade extends Feature {
  readonly [feature]: "facade";
  /** What it evaluates. The host must serve these decisions. */
  readonly decisions: readonly Decision[];
  /** What the host refuses on a path of this facade, such as a body that isn't JSON, in the protocol's form. */
  refuse(error: ErrorReply, request: Pick<FeatureRequest, "headers" | "params">): FeatureReply;
}

/** What a host offers to a feature. */
export interface FeatureHost {
  /**
   * Evaluates a decision as the host's own route for it does. An evaluation that fails is a reply too.
   *
   * @param input - reads the input, or returns a promise of it. What it throws is the host's error: logged, counted and given to
   *   `onError`
   * @param onResult - runs before the reply is returned. Its failure is the host's error too, and in `hostError`
   * @throws DecernError `DECISION_NOT_FOUND` where the host does not serve the decision, and `DECISIONS_NOT_LOADED` until it has
   *   loaded it
   */
  evaluate(
    request: FeatureRequest,
    decision: Decision,
    input: () => unknown,
    onResult?: ((result: Result) => unknown) | undefined,
  ): Awaitable<Reply>;
  /**
   * Evaluates the items of a list, in order, and shares the event loop with other requests meanwhile.
   *
   * @param evaluate - must neither throw nor reject
   * @param isLast - whether no further item is to be evaluated. Then one is evaluated at a time. @default all are
   */
  evaluateAll<Item, Answer>(
    request: FeatureRequest,
    items: readonly Item[],
    evaluate: (item: Item) => Awaitable<Answer>,
    isLast?: ((answer: Answer) => boolean) | undefined,
  ): Promise<readonly Answer[]>;
  /**
   * Chooses version and profile as the decision's own route does, for a route with `ofDecision`, and evaluates nothing.
   *
   * @throws DecernError `PROFILES_NOT_LOADED`, `HOOK_TIMEOUT`, and what the host's callbacks throw
   */
  callOf(request: FeatureRequest): Promise<FeatureCall>;
}

/** A call that was not evaluated. */
export interface FeatureCall {
  readonly call: Call;
  /** Whose profile it is: a host's that breaks its schema is the host's error. */
  readonly profileFrom: "caller" | "host";
  /** To be sent with the reply, such as those of a deprecated version. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** A request as features see it, the same from every host. */
export interface FeatureRequest {
  readonly requestId: string;
  /** Of the path. `undefined` where it is not valid percent-encoding. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed JSON; `undefined` where there is none. */
  readonly body: unknown;
  /** The caller. It throws what the host's callback throws. */
  origin(): Origin;
  /** Whether the client has disconnected. */
  isGone(): boolean;
  /** Runs work once the reply is written: it must not delay it. */
  afterwards(work: () => void): void;
}

/** What a feature replies. */
export interface FeatureReply {
  readonly status: number;
  /** JSON text, unless `headers` have another `content-type`. Absent where there is no body. */
  readonly body?: string | undefined;
  /** They win over those of the host, `x-request-id` included. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One route of a feature. */
export interface FeatureRoute {
  readonly method: "GET" | "POST";
  /** Segments of plain text; the last one may be a parameter, such as `:key`, which takes the rest of the path. */
  readonly path: string;
  /**
   * Whether `path` continues the path of each decision, and of each of its versions. It then takes `POST`, with the body of the
   * decision's own route, and has no parameter. @default false
   */
  readonly ofDecision?: boolean | undefined;
  /** Whether callers need not authenticate, because the reply tells nothing about decisions. @default false */
  readonly open?: boolean | undefined;
  /** Whether a server responds also while it is overloaded or closing. @default false */
  readonly vital?: boolean | undefined;
  /** For the OpenAPI document. @default the document doesn't have the route */
  readonly operation?: FeatureOperation | undefined;
  /** What it throws goes to the host's error handling; what a facade's route throws is replied in the facade's form. */
  answer(request: FeatureRequest): Awaitable<FeatureReply>;
}

/** What a route takes and replies. Schemas are those of OpenAPI 3.0, and refer to nothing outside themselves. */
export interface FeatureOperation {
  readonly operationId: string;
  readonly summary: string;
  /** The body. @default none */
  readonly request?: JsonSchema | undefined;
  /** By status. A reply without a schema has no body. */
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly schema?: JsonSchema | undefined }>
  >;
}

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
