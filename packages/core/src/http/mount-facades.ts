import { type Awaitable, isThenable } from "../base/awaitable.js";
import { DecernError, type ErrorReply, type Problem, toErrorReply } from "../base/errors.js";
import { isJsonObject } from "../base/json-schema.js";
import { feature } from "../base/options.js";
import type { Origin } from "../service/call.js";
import type { Generation } from "../service/catalogue.js";
import type { Run } from "../service/run.js";
import type { Service } from "../service/service.js";
import { Lists } from "./batch.js";
import type { HostRequest } from "./exchange.js";
import type { Facade, FacadeHeaders, FacadeHost, FacadeReply, FacadeRequest, FacadeRoute } from "./facade.js";
import { Handler } from "./handler.js";
import { type Reply, replyOf } from "./reply.js";

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
  readonly origin: () => Origin;
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
    const work: (() => void)[] = [];
    const afterwards = (one: () => void): void => void work.push(one);
    const request: FacadeRequest = { ...others, params: this.#paramsOf(received), afterwards };
    try {
      return answered(await this.#route.answer(request), request.requestId, work);
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

/** A request of a facade, as the handler of its host reads it. */
class FacadeExchange implements HostRequest<FacadeRequest> {
  readonly source: FacadeRequest;
  readonly input: () => unknown;

  constructor(source: FacadeRequest, input: () => unknown) {
    this.source = source;
    this.input = input;
  }

  get requestId(): string {
    return this.source.requestId;
  }

  origin(): Origin {
    return this.source.origin();
  }
}

/**
 * Makes the routes of a host's facades. `facadeProblems` has found that it serves what they evaluate.
 *
 * @throws DecernError `INVALID_OPTIONS` for a route that an earlier facade has, or that a facade refuses to make
 */
export function mountFacades(
  facades: readonly Facade[] | undefined,
  service: Service,
): readonly MountedRoute[] {
  const handler = new Handler(service);
  const lists = new Lists(service.runner);
  // Of these, one decision has been asked for at least.
  const asked = new WeakSet<FacadeRequest>();
  const onceRoom = <T>(work: () => Awaitable<T>): Awaitable<T> => {
    const waiting = lists.whenRoom();
    return isThenable(waiting) ? waiting.then(work) : work();
  };
  const host: FacadeHost = {
    evaluate(request, { id }, input, onResult) {
      const target = service.catalogue.current.find(id);
      if (typeof target === "string") throw new DecernError(target, { detail: id });
      const keep = (run: Run): Reply => {
        const { afterwards } = run;
        if (afterwards !== undefined) request.afterwards(() => void onceRoom(afterwards));
        return replyOf(run);
      };
      const evaluate = (): Awaitable<Reply> => {
        const run = handler.run(new FacadeExchange(request, input), target, onResult);
        return isThenable(run) ? run.then(keep) : keep(run);
      };
      // A request that asks for more than one is a list.
      if (asked.has(request)) return onceRoom(evaluate);
      asked.add(request);
      return evaluate();
    },
  };
  const routes = (facades ?? []).flatMap((facade) =>
    facade.mount(host).map((route) => new MountedRoute(facade, route)),
  );
  const problems = repeated(routes);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "facades", problems });
  return routes;
}

/** Finds values that are no facade, and facades that evaluate a decision which the service does not serve. */
export function facadeProblems(given: unknown, { decisions }: Generation): readonly Problem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [{ path: "/facades", message: "must be a list" }];
  // `Array.from` sees the holes that `flatMap` alone would skip.
  return Array.from(given, (facade: unknown) => facade).flatMap((facade, index) => {
    const path = `/facades/${index}`;
    if (!isFacade(facade)) {
      const message = "is not a facade; make it with a package such as @decern/authzen";
      return [{ path, message }];
    }
    return facade.decisions
      .filter(
        (decision) =>
          ![...(decisions.get(decision.id)?.versions.values() ?? [])].some(
            (version) => version.decision === decision,
          ),
      )
      .map(({ id, version }) => ({
        path,
        message: `${facade.name} evaluates version ${version} of "${id}", which is not among the decisions`,
      }));
  });
}

function isFacade(value: unknown): value is Facade {
  return isJsonObject(value) && feature in value && value[feature] === "facade";
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
