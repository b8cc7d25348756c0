import type { CallOrigin } from "../host/chosen-call.js";
import { type ErrorReply, toErrorReply } from "../host/outcome-table.js";
import type { Facade, FacadeHeaders, FacadeReply, FacadeRequest, FacadeRoute } from "./facade.js";
import { workOf } from "./pending-work.js";

/** A reply as hosts write it. */
export interface AnsweredRequest {
  readonly status: number;
  /** JSON text; `undefined` where there is no body. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** To be run once the reply is written. */
  readonly afterwards: () => void;
}

/** What a host has read of a request. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly params?: Readonly<Record<string, string | undefined>> | undefined;
  readonly headers: FacadeHeaders;
  readonly body: unknown;
  readonly origin: () => CallOrigin;
}

/** One route of a facade in one host. */
export class MountedRoute {
  readonly method: FacadeRoute["method"];
  readonly path: string;
  /** Whether callers need not authenticate. */
  readonly open: boolean;
  readonly operation: FacadeRoute["operation"];
  /** The name of its facade. */
  readonly facade: string;
  readonly #facade: Facade;
  readonly #route: FacadeRoute;

  constructor(facade: Facade, route: FacadeRoute) {
    this.method = route.method;
    this.path = route.path;
    this.open = route.open === true;
    this.operation = route.operation;
    this.facade = facade.name;
    this.#facade = facade;
    this.#route = route;
  }

  /**
   * Answers a request.
   *
   * @param onFault - gets what the facade itself threw, which is masked in the reply
   */
  async answer(received: ReceivedRequest, onFault: (thrown: unknown) => void): Promise<AnsweredRequest> {
    const request: FacadeRequest = { ...received, params: received.params ?? {} };
    try {
      return answered(await this.#route.answer(request), request.requestId, workOf(request));
    } catch (thrown) {
      onFault(thrown);
      return this.refuse(toErrorReply(undefined), received);
    }
  }

  /** The reply, in the protocol's form, to what the host refuses before the facade sees it. */
  refuse(
    error: ErrorReply,
    { headers, requestId }: Pick<ReceivedRequest, "headers" | "requestId">,
  ): AnsweredRequest {
    return answered(this.#facade.refuse(error, headers), requestId, []);
  }
}

function answered(
  { status, body, headers }: FacadeReply,
  requestId: string,
  work: readonly (() => void)[],
): AnsweredRequest {
  return {
    status,
    body,
    headers: { "x-request-id": requestId, ...headers },
    afterwards: () => {
      for (const run of work) run();
    },
  };
}
