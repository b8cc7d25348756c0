import type { Awaitable } from "../base/awaitable.js";
import type { ErrorReply } from "../base/errors.js";
import type { feature } from "../base/options.js";
import type { Decision } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import type { Origin } from "../service/call.js";
import type { DescribedRoute } from "./features.js";
import type { Reply } from "./reply.js";

/**
 * A protocol that a host speaks alongside its own routes, such as AuthZEN. Its routes are evaluated as the decisions' own are:
 * with the same hooks, profiles, versions, records, metrics and access checks.
 */
export interface Facade {
  readonly [feature]: "facade";
  /** For messages. */
  readonly name: string;
  /** What it evaluates. The host must serve these decisions. */
  readonly decisions: readonly Decision[];
  /** Called once by every host that it is given to. */
  mount(host: FacadeHost): readonly FacadeRoute[];
  /** What the host refuses on a path of this facade, such as a body that isn't JSON, in the protocol's form. */
  refuse(error: ErrorReply, request: Pick<FacadeRequest, "headers" | "params">): FacadeReply;
}

/** Names in lower case, as Node gives them. */
export type FacadeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a host offers to a facade. */
export interface FacadeHost {
  /**
   * Evaluates a decision as the host's own route for it does. It never throws.
   *
   * @param input - reads the input, or returns a promise of it. What it throws is the host's fault: logged, counted and given to
   *   `onError`
   * @param onResult - runs before the reply is returned. Its failure is the host's fault too, and in `hostError`
   */
  evaluate(
    request: FacadeRequest,
    decision: Decision,
    input: () => unknown,
    onResult?: ((result: Result) => unknown) | undefined,
  ): Awaitable<Reply>;
}

/** A request as facades see it, the same from every host. */
export interface FacadeRequest {
  readonly requestId: string;
  /** Of the path. `undefined` where it is not valid percent-encoding. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly headers: FacadeHeaders;
  /** Parsed JSON; `undefined` where there is none. */
  readonly body: unknown;
  /** Who asks. May throw what the host's callback throws. */
  readonly origin: () => Origin;
  /** Runs work once the reply is written: it must not delay it. */
  readonly afterwards: (work: () => void) => void;
}

/** What a facade replies. */
export interface FacadeReply {
  readonly status: number;
  /** JSON text. Absent where there is no body. */
  readonly body?: string | undefined;
  /** They win over those of the host, `x-request-id` included. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One route of a facade. */
export interface FacadeRoute extends DescribedRoute {
  answer(request: FacadeRequest): Awaitable<FacadeReply>;
}
