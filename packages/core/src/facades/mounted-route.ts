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
  /** Of the path, where the route has a parameter: its value. `undefined` where it is not valid percent-encoding. */
  readonly rest?: string | undefined;
  readonly headers: FacadeHeaders;
  readonly body: unknown;
  readonly origin: () => CallOrigin;
}

/** One route of a facade in one host. */
export class MountedRoute {
  readonly method: FacadeRoute["method"];
  readonly path: string;
  /** The path before the parameter, where there is one; else the whole path. */
  readonly base: string;
  readonly hasParameter: boolean;
  /** Whether callers need not authenticate. */
  readonly open: boolean;
  readonly operation: FacadeRoute["operation"];
  /** The name of its facade. */
  readonly facade: string;
  readonly #facade: Facade;
  readonly #route: FacadeRoute;
  readonly #parameter: string;

  constructor(facade: Facade, route: FacadeRoute) {
    this.method = route.method;
    this.path = route.path;
    const [base = "", parameter] = route.path.split("/:");
    this.base = base;
    this.hasParameter = parameter !== undefined;
    this.#parameter = parameter ?? "";
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
    const { rest: _, ...others } = received;
    const request: FacadeRequest = { ...others, params: this.#paramsOf(received) };
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
    received: Pick<ReceivedRequest, "headers" | "requestId" | "rest">,
  ): AnsweredRequest {
    const { headers, requestId } = received;
    return answered(this.#facade.refuse(error, { headers, params: this.#paramsOf(received) }), requestId, []);
  }

  #paramsOf({ rest }: Pick<ReceivedRequest, "rest">): FacadeRequest["params"] {
    return this.hasParameter ? { [this.#parameter]: rest } : {};
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What the path of a facade does not take. */
interface WrongMethods {
  /** The first one with that path, to refuse in the form of its facade. */
  readonly route: MountedRoute;
  readonly methods: readonly (typeof methods)[number][];
  /** Value of the header: what it does take. */
  readonly allow: string;
}

/** The methods that hosts refuse on the paths of facades, once for each path. */
export function wrongMethods(routes: readonly MountedRoute[]): readonly WrongMethods[] {
  const paths = new Map(routes.toReversed().map((route) => [route.path, route] as const));
  return [...paths.values()].map((route) => {
    const same = routes.filter(({ path }) => path === route.path);
    const taken = (method: string) =>
      same.some((one) => one.method === method || (one.method === "GET" && method === "HEAD"));
    return {
      route,
      methods: methods.filter((method) => !taken(method)),
      allow: methods.filter(taken).join(", "),
    };
  });
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
