import type { ErrorReply, Problem } from "../base/errors.js";
import type { JsonSchema } from "../base/json-schema.js";
import type { feature } from "../base/kinds.js";
import type { Awaitable } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import type { Call } from "../decision/evaluate.js";
import type { Result } from "../decision/result.js";
import type { EvaluationObserver } from "../service/hooks.js";
import type { Origin } from "../service/request-view.js";
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
   * Evaluates a decision as the host's own route for it does. It never throws.
   *
   * @param input - reads the input, or returns a promise of it. What it throws is the host's error: logged, counted and given to
   *   `onError`
   * @param onResult - runs before the reply is returned. Its failure is the host's error too, and in `hostError`
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
