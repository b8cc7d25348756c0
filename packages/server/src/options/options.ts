import type {
  Clock,
  Decision,
  DecisionLog,
  DecisionSetOptions,
  EvaluationObserver,
  ExplainFeature,
  Hooks,
  Identity,
  Logger,
  MetricsFeature,
  OpenAPIFeature,
  OverloadOptions,
  ProfileOverride,
} from "@decern/core";
import type { FastifyServerOptions } from "fastify";
import type { Authenticate, RecordsAccess } from "../auth/authenticate.js";

/** A feature that is off. To turn it on, build it with its own package. */
export interface DisabledFeature {
  readonly enabled?: false | undefined;
}

/** The options of {@link createServer}. */
export interface ServerOptions<
  Decisions extends readonly Decision[] = readonly Decision[],
  Key extends PropertyKey = PropertyKey,
  Given extends PropertyKey = PropertyKey,
  Caller extends Identity = Identity,
> extends DecisionSetOptions<Decisions, Key, Given, Caller> {
  /** Names of profiles that callers may choose with `profileName` in the body, by id. @default none */
  readonly callerProfiles?:
    | { readonly [Id in NoInfer<Decisions>[number]["id"]]?: readonly string[] | undefined }
    | undefined;
  /**
   * What a `profile` in the body does: it replaces the host's, it is merged into it (RFC 7396), or it is refused.
   * @default "replace"
   */
  readonly profileOverride?: ProfileOverride | undefined;
  /** Whether browsers may call from other origins. @default true */
  readonly cors?: boolean | undefined;
  readonly hooks?: Hooks<NoInfer<Caller>> | undefined;
  /** Observers of every evaluation, such as an audit log. */
  readonly observers?: readonly EvaluationObserver[] | undefined;
  /** The result of `metrics({ enabled: true })` from `@decern/metrics`. @default off */
  readonly metrics?: MetricsFeature | DisabledFeature | undefined;
  /** The result of `openapi({ enabled: true })` from `@decern/openapi`. @default off */
  readonly openapi?: OpenAPIFeature | DisabledFeature | undefined;
  /** Whether `/docs` is served. @default true */
  readonly docs?: boolean | undefined;
  /**
   * Whether the docs page evaluates while somebody edits. These evaluations are not seen by metrics, observers, `log`, shadow
   * candidates, `afterEvaluate` and `onError`. `beforeEvaluate` runs, because it may refuse them.
   * @default true without `log` and `hooks.beforeEvaluate`, else false
   */
  readonly liveDocs?: boolean | undefined;
  /** Largest request body, and largest line of NDJSON, in bytes. @default 1048576 */
  readonly bodyLimit?: number | undefined;
  /** The most inputs in the body of a batch. NDJSON has no such limit. @default 1000 */
  readonly maxBatch?: number | undefined;
  /** How long a hook, `authenticate` or `records` may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number | undefined;
  /** How long a request may take to arrive, or the next byte of NDJSON, in milliseconds. @default 10000 */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a connection may make no progress while a reply waits to be sent, in milliseconds. @default 10000 */
  readonly writeTimeoutMs?: number | undefined;
  /**
   * How long an idle connection stays open, in milliseconds. Longer than a proxy in front keeps one, which is 60 seconds for
   * most: otherwise the proxy sends requests on connections that are just being closed. @default 65000
   */
  readonly keepAliveTimeoutMs?: number | undefined;
  /**
   * How old a connection may become, in milliseconds. The first reply after that ends it with `Connection: close`, so that
   * clients spread over the processes that were added since. No request is cut, however long it takes. Each connection gets a
   * limit between three quarters of this and the whole, so that they do not all end together. @default 300000
   */
  readonly maxConnectionAgeMs?: number | undefined;
  /** How long `close()` waits for running evaluations, unsent replies and hooks, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number | undefined;
  /** Keeps a record of every evaluation: what `decisionLog` of `@decern/decision-log` returned. @default none */
  readonly log?: DecisionLog | undefined;
  /**
   * Serves `/records`, a page to find, explain and re-run records, to callers for which the function returns `true`, or,
   * with `true`, to every authenticated caller. They see all records. Requires `log` and `authenticate`.
   * @default false
   */
  readonly records?: boolean | RecordsAccess<NoInfer<Caller>> | undefined;
  /**
   * Serves `POST /decisions/:id/explain`: which change of one field would change the result. It evaluates many times, without
   * hooks, metrics or records. What `explain` of `@decern/explain` returned. @default none
   */
  readonly explain?: ExplainFeature | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** Logs every error, but never a request's input. `false` logs nothing. @default writes to standard error */
  readonly logger?: Logger | boolean | undefined;
  /** Which proxies' `X-Forwarded-*` headers to trust: Fastify's `trustProxy`. @default false */
  readonly trustProxy?: FastifyServerOptions["trustProxy"] | undefined;
  /** Authenticates callers, for example with `apiKeys`, also on the metrics page. Health routes stay open. @default everyone may call */
  readonly authenticate?: Authenticate<Caller> | undefined;
  /** Whether the metrics page needs no authentication. @default false */
  readonly publicMetrics?: boolean | undefined;
  /** Replies 503 immediately when the server is overloaded. @default off */
  readonly overload?: OverloadOptions | undefined;
}

/** The options of {@link DecisionServer.listen}. */
export interface ListenOptions {
  /** `0.0.0.0` for every interface. @default "localhost" */
  readonly host?: string | undefined;
  /** Closes the server when aborted. */
  readonly signal?: AbortSignal | undefined;
}
