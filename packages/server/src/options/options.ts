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
import type { DocsPageOptions } from "../pages/drafts.js";

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
  /** By id: names of profiles that callers may choose with `profileName`. @default none */
  readonly callerProfiles?:
    | { readonly [Id in NoInfer<Decisions>[number]["id"]]?: readonly string[] | undefined }
    | undefined;
  /**
   * How to treat a `profile` in the body: `"replace"`, `"merge"` (RFC 7396), or `false` to reject it.
   * @default "replace"
   */
  readonly profileOverride?: ProfileOverride | undefined;
  /** Browsers can call from any origin. @default true */
  readonly cors?: boolean | undefined;
  /** `beforeEvaluate`, `afterEvaluate`, `onError`: see [hooks](https://github.com/decern/decern/blob/main/docs/hooks.md). @default none */
  readonly hooks?: Hooks<NoInfer<Caller>> | undefined;
  /** See [observers](https://github.com/decern/decern/blob/main/docs/hooks.md#observers). @default none */
  readonly observers?: readonly EvaluationObserver[] | undefined;
  /** `metrics({ enabled: true })` of `@decern/metrics`. @default off */
  readonly metrics?: MetricsFeature | DisabledFeature | undefined;
  /** `openapi({ enabled: true })` of `@decern/openapi`. @default off */
  readonly openapi?: OpenAPIFeature | DisabledFeature | undefined;
  /**
   * Whether to serve `/docs`; or `{ publish }`, which takes
   * [drafts of tables](https://github.com/decern/decern/blob/main/docs/docs-page.md#drafts) and requires `records`.
   * @default true
   */
  readonly docs?: boolean | DocsPageOptions<NoInfer<Caller>> | undefined;
  /**
   * Whether the docs page [evaluates while you edit](https://github.com/decern/decern/blob/main/docs/docs-page.md#live-evaluation).
   *
   * These evaluations are not seen by metrics, observers, `log`, shadow candidates, `afterEvaluate` and `onError`.
   * `beforeEvaluate` runs, because it may refuse them.
   * @default `true`, but `false` with a `log` or a `beforeEvaluate` hook
   */
  readonly liveDocs?: boolean | undefined;
  /** Maximum body size in bytes; in NDJSON, of a line. @default 1048576 */
  readonly bodyLimit?: number | undefined;
  /** Maximum inputs in a batch; NDJSON has no such limit. @default 1000 */
  readonly maxBatch?: number | undefined;
  /** How long a hook, `authenticate`, `records` or `publish` can take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number | undefined;
  /** How long a request can take to arrive, or the next byte of NDJSON, in milliseconds. @default 10000 */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a connection can stall while a response waits, in milliseconds. @default 10000 */
  readonly writeTimeoutMs?: number | undefined;
  /**
   * How long an idle connection stays open, in milliseconds; must exceed the time that a
   * [proxy in front](https://github.com/decern/decern/blob/main/docs/deployment.md#behind-a-reverse-proxy-with-a-prefix) keeps it.
   *
   * Most proxies keep one for 60 seconds. With less here, they send requests on connections that are just being closed.
   * @default 65000
   */
  readonly keepAliveTimeoutMs?: number | undefined;
  /**
   * Maximum age of a connection, in milliseconds: the next response then closes it with `Connection: close`, so that clients
   * [spread over new processes](https://github.com/decern/decern/blob/main/docs/deployment.md#connections). Each connection's limit is a random 75 to 100 % of this.
   * @default 300000
   */
  readonly maxConnectionAgeMs?: number | undefined;
  /**
   * How long `close()` can take, in milliseconds.
   *
   * It waits for running evaluations, unsent replies and hooks.
   * @default 10000
   */
  readonly closeTimeoutMs?: number | undefined;
  /**
   * A `decisionLog` of `@decern/decision-log`. `close()` flushes it but doesn't close it.
   *
   * It records every evaluation; replies have the record's id as `decern-record-id`.
   * @default off
   */
  readonly log?: DecisionLog | undefined;
  /**
   * Serve [`/records`](https://github.com/decern/decern/blob/main/docs/records.md#the-page-at-records): `true` for every authenticated
   * caller, or a function of `request` that returns `true`; requires `log` and `authenticate`.
   *
   * An allowed caller sees all records.
   * @default false
   */
  readonly records?: boolean | RecordsAccess<NoInfer<Caller>> | undefined;
  /**
   * `explain()` of `@decern/explain`: serve `POST /decisions/:id/explain`.
   *
   * It tells which change of one field would change the result. It evaluates many times, without hooks, metrics or records.
   * @default off
   */
  readonly explain?: ExplainFeature | undefined;
  /** `{ now(), monotonic() }`. @default system clock */
  readonly clock?: Clock | undefined;
  /**
   * `{ error(details, message), warn?, info? }`, such as Pino; receives errors, never input. With `false`, only `listen`'s start notice
   * is printed.
   * @default standard error
   */
  readonly logger?: Logger | boolean | undefined;
  /** As in Fastify. @default false */
  readonly trustProxy?: FastifyServerOptions["trustProxy"] | undefined;
  /**
   * `apiKeys({ keys })`, or your own function: see [callers](https://github.com/decern/decern/blob/main/docs/callers.md).
   *
   * It covers the metrics page too. Health routes stay open.
   * @default off
   */
  readonly authenticate?: Authenticate<Caller> | undefined;
  /** `authenticate` doesn't cover the metrics page. @default false */
  readonly publicMetrics?: boolean | undefined;
  /**
   * `{ maxConcurrent?, maxEventLoopDelayMs?, retryAfterSeconds? }`: under overload, immediately returns 503 with `Retry-After`
   * (1 second by default).
   * @default off
   */
  readonly overload?: OverloadOptions | undefined;
}

/** The options of {@link DecisionServer.listen}. */
export interface ListenOptions {
  /** `0.0.0.0` for every interface. @default "localhost" */
  readonly host?: string | undefined;
  /** Closes the server when aborted. */
  readonly signal?: AbortSignal | undefined;
}
