import type {
  Clock,
  Decision,
  EvaluationObserver,
  Hooks,
  Logger,
  MetricsFeature,
  OpenAPIFeature,
  ProfilesOf,
} from "@decern/core";
import type { FastifyServerOptions } from "fastify";
import type { Authenticate } from "../auth/authenticate.js";
import type { OverloadOptions } from "../overload/overload.js";

/** A feature that is off. What turns one on is built by its own package. */
export interface DisabledFeature {
  readonly enabled?: false | undefined;
}

/** What {@link createServer} takes. */
export interface ServerOptions<Decisions extends readonly Decision[] = readonly Decision[]> {
  /** The decisions to serve. */
  readonly decisions: Decisions;
  /** Default profiles by decision id; checked at start. */
  readonly profiles?: ProfilesOf<Decisions> | undefined;
  /** Whether browsers of other origins may call. @default true */
  readonly cors?: boolean | undefined;
  readonly hooks?: Hooks | undefined;
  /** What else watches evaluations, such as an audit log. */
  readonly observers?: readonly EvaluationObserver[] | undefined;
  /** What `metrics({ enabled: true })` of `@decern/metrics` built. @default off */
  readonly metrics?: MetricsFeature | DisabledFeature | undefined;
  /** What `openapi({ enabled: true })` of `@decern/openapi` built. @default off */
  readonly openapi?: OpenAPIFeature | DisabledFeature | undefined;
  /** Whether `/docs` is served. @default true */
  readonly docs?: boolean | undefined;
  /** Whether the body of an evaluation may carry a `profile`. @default true */
  readonly allowProfileOverride?: boolean | undefined;
  /** Largest request body, in bytes. @default 1048576 */
  readonly bodyLimit?: number | undefined;
  /** How long a hook, or `authenticate`, may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number | undefined;
  /** How long a request may take to arrive, in milliseconds. @default 10000 */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a connection may make no progress while a reply waits to be sent, in milliseconds. @default 10000 */
  readonly writeTimeoutMs?: number | undefined;
  /** How long an idle connection is kept, in milliseconds. @default 5000 */
  readonly keepAliveTimeoutMs?: number | undefined;
  /** How long `close()` waits for running evaluations, replies that are leaving and hooks, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** Told of every fault, never of a request's input. `false` is silent. @default writes to standard error */
  readonly logger?: Logger | boolean | undefined;
  /** Which proxies' `X-Forwarded-*` headers are believed, as Fastify takes it. @default false */
  readonly trustProxy?: FastifyServerOptions["trustProxy"] | undefined;
  /** Asks callers who they are; `apiKeys` makes one. Health stays open. @default nobody is asked */
  readonly authenticate?: Authenticate | undefined;
  /** Whether `authenticate` guards the metrics page too. @default false */
  readonly protectMetrics?: boolean | undefined;
  /** Answers 503 at once when there is more to do than can be done. @default off */
  readonly overload?: OverloadOptions | undefined;
}

/** What {@link DecisionServer.listen} takes beside the port. */
export interface ListenOptions {
  /** `0.0.0.0` for every interface. @default "localhost" */
  readonly host?: string | undefined;
  /** Closes the server when it aborts. */
  readonly signal?: AbortSignal | undefined;
}
