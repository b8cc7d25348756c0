import { type Awaitable, isThenable, whenRoom } from "../base/awaitable.js";
import { DecernError, type ErrorReply, type Problem, toErrorReply } from "../base/errors.js";
import type { CallOrigin } from "../service/call.js";
import type { Catalogue } from "../service/catalogue.js";
import { CallChooser, type ProfilePolicy } from "../service/choice.js";
import type { Runner } from "../service/runner.js";
import { DecisionHandlers } from "./decision-handlers.js";
import type {
  Facade,
  FacadeCall,
  FacadeHeaders,
  FacadeHost,
  FacadeReply,
  FacadeRequest,
  FacadeRoute,
} from "./facade.js";
import type { DecisionReply } from "./reply.js";

/** Work that must not delay a reply, such as the evaluation of a candidate alongside the decision. */
type Work = () => void;

const pending = new WeakMap<FacadeRequest, Work[]>();

/** Keeps work until the request has its response. */
function takeWork(request: FacadeRequest, work: Work): void {
  const kept = pending.get(request);
  if (kept === undefined) pending.set(request, [work]);
  else kept.push(work);
}

/** What is to be done once a request has its response. */
function workOf(request: FacadeRequest): readonly Work[] {
  return pending.get(request) ?? [];
}

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
   * Responds to a request.
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

/** What evaluates the calls of facades: the same as for the host's own routes. */
interface FacadeMount {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly policy: ProfilePolicy;
}

/**
 * Makes the routes of a host's facades. The catalogue has checked that it serves what they evaluate.
 *
 * @throws DecernError `INVALID_OPTIONS` for a route that an earlier facade has, or that a facade refuses to make
 */
export function mountFacades(
  facades: readonly Facade[] | undefined,
  { catalogue, runner, policy }: FacadeMount,
): readonly MountedRoute[] {
  // Of these, one decision has been asked for at least.
  const asked = new WeakSet<FacadeRequest>();
  const onceRoom = <T>(work: () => Awaitable<T>): Awaitable<T> => {
    const waiting = whenRoom(runner);
    return isThenable(waiting) ? waiting.then(work) : work();
  };
  const host: FacadeHost = {
    handlerOf({ id }) {
      const hosted = catalogue.get(id);
      if (hosted === undefined) throw new DecernError("DECISION_NOT_FOUND", { detail: id });
      const chooser = new CallChooser(catalogue, hosted, policy, hosted.shadow);
      const reader = {
        input: ({ input }: FacadeCall) => input(),
        origin: ({ request }: FacadeCall) => request.origin(),
      };
      const { standard } = new DecisionHandlers<FacadeCall>(runner, hosted, chooser, reader);
      return {
        handle(call, requestId, onResult) {
          const keep = (reply: DecisionReply): DecisionReply => {
            const { afterwards } = reply;
            if (afterwards !== undefined) takeWork(call.request, () => void onceRoom(afterwards));
            return reply;
          };
          const evaluate = (): Awaitable<DecisionReply> => {
            const reply = standard.handle(call, requestId, onResult);
            return isThenable(reply) ? reply.then(keep) : keep(reply);
          };
          // A request that asks for more than one is a list.
          if (asked.has(call.request)) return onceRoom(evaluate);
          asked.add(call.request);
          return evaluate();
        },
      };
    },
  };
  const routes = (facades ?? []).flatMap((facade) =>
    facade.mount(host).map((route) => new MountedRoute(facade, route)),
  );
  const problems = repeated(routes);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "facades", problems });
  return routes;
}

function repeated(routes: readonly MountedRoute[]): readonly Problem[] {
  const seen = new Set<string>();
  return routes.flatMap(({ method, path, facade }) => {
    const route = `${method} ${path}`;
    if (!seen.has(route)) {
      seen.add(route);
      return [];
    }
    return [{ path: "/facades", message: `${facade} serves ${route}, as an earlier facade does` }];
  });
}
