import { type ErrorReply, errorBody, type Problem, toErrorReply } from "../base/errors.js";
import { isJsonObject } from "../base/json.js";
import { feature } from "../base/kinds.js";
import type { Target } from "../service/generation.js";
import type { Origin } from "../service/request-view.js";
import type { SentProfile } from "../service/run.js";
import type { Facade, Feature, FeatureReply, FeatureRequest, FeatureRoute } from "./feature.js";

/** A reply as hosts write it. */
export interface AnsweredRequest {
  readonly status: number;
  /** JSON text, unless the headers have another type; `undefined` where there is no body. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** To be run once the reply is written. */
  readonly afterwards: () => void;
}

/** What the path and the body of a decision's route ask for. */
export interface AskedDecision {
  readonly target: Target;
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
}

/** What a host has read of a request. */
export interface ReceivedRequest {
  readonly requestId: string;
  /** Of the path, where the route has a parameter: its value. `undefined` where it is not valid percent-encoding. */
  readonly rest?: string | undefined;
  readonly headers: FeatureRequest["headers"];
  readonly body: unknown;
  /** Of a route with `ofDecision`. */
  readonly asked?: AskedDecision | undefined;
  /** The framework's request, for callbacks of the host. */
  readonly source: unknown;
  readonly origin: () => Origin;
  readonly isGone: () => boolean;
}

/** A request as a feature sees it, and what it does not see. */
export class MountedRequest implements FeatureRequest {
  readonly params: FeatureRequest["params"];
  readonly #received: ReceivedRequest;
  readonly work: (() => void)[] = [];
  /** Whether a decision has been evaluated for it: the next one makes it a list. */
  isList = false;

  constructor(received: ReceivedRequest, params: FeatureRequest["params"]) {
    this.params = params;
    this.#received = received;
  }

  get requestId(): string {
    return this.#received.requestId;
  }

  get headers(): FeatureRequest["headers"] {
    return this.#received.headers;
  }

  get body(): unknown {
    return this.#received.body;
  }

  get asked(): AskedDecision | undefined {
    return this.#received.asked;
  }

  get source(): unknown {
    return this.#received.source;
  }

  origin(): Origin {
    return this.#received.origin();
  }

  isGone(): boolean {
    return this.#received.isGone();
  }

  afterwards(work: () => void): void {
    this.work.push(work);
  }
}

/** One route of a feature in one host. */
export class MountedRoute {
  readonly method: FeatureRoute["method"];
  readonly path: string;
  /** The path before the parameter, where there is one; else the whole path. */
  readonly base: string;
  readonly hasParameter: boolean;
  readonly ofDecision: boolean;
  readonly open: boolean;
  readonly vital: boolean;
  readonly operation: FeatureRoute["operation"];
  /** The name of its feature. */
  readonly feature: string;
  /** Where it is one: it has a form of errors of its own. */
  readonly #facade: Facade | undefined;
  readonly #route: FeatureRoute;
  readonly #parameter: string;

  constructor(given: Feature | Facade, route: FeatureRoute) {
    this.method = route.method;
    this.path = route.path;
    const [base = "", parameter] = route.path.split("/:");
    this.base = base;
    this.hasParameter = parameter !== undefined;
    this.#parameter = parameter ?? "";
    this.ofDecision = route.ofDecision === true;
    this.open = route.open === true;
    this.vital = route.vital === true;
    this.operation = route.operation;
    this.feature = given.name;
    this.#facade = facadeOf(given);
    this.#route = route;
  }

  get isFacade(): boolean {
    return this.#facade !== undefined;
  }

  /**
   * Responds to a request.
   *
   * @param onFault - gets what a facade itself threw, which is masked in the reply
   * @throws what the route of any other feature throws
   */
  async answer(received: ReceivedRequest, onFault: (thrown: unknown) => void): Promise<AnsweredRequest> {
    const request = new MountedRequest(received, this.#paramsOf(received));
    try {
      return answered(await this.#route.answer(request), request.requestId, request.work);
    } catch (thrown) {
      if (!this.isFacade) throw thrown;
      onFault(thrown);
      return this.refuse(toErrorReply(undefined), received);
    }
  }

  /** The reply to what the host refuses before the feature sees it: in the form of the facade, if it is one. */
  refuse(
    error: ErrorReply,
    received: Pick<ReceivedRequest, "headers" | "requestId" | "rest">,
  ): AnsweredRequest {
    const { headers, requestId } = received;
    const facade = this.#facade;
    const reply = facade
      ? facade.refuse(error, { headers, params: this.#paramsOf(received) })
      : { status: error.status, body: errorBody(error) };
    return answered(reply, requestId, []);
  }

  #paramsOf({ rest }: Pick<ReceivedRequest, "rest">): FeatureRequest["params"] {
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
  // The host refuses on paths of other features as on its own.
  const facades = routes.filter(({ isFacade }) => isFacade);
  const paths = new Map(facades.toReversed().map((route) => [route.path, route] as const));
  return [...paths.values()].map((route) => {
    const same = facades.filter(({ path }) => path === route.path);
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
  { status, body, headers }: FeatureReply,
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

export function facadeOf(value: unknown): Facade | undefined {
  if (!isJsonObject(value) || !(feature in value) || value[feature] !== "facade") return undefined;
  // Only packages that make facades set the mark.
  return value as object as Facade;
}

/** Plain segments, and maybe a parameter at the end. */
const routePath = /^(?:\/[A-Za-z0-9._~-]+)+(?:\/:\w+)?$/;

/** Finds routes that an earlier feature has, and paths that hosts could not serve alike. */
export function routeProblems(routes: readonly MountedRoute[]): readonly Problem[] {
  const seen = new Set<string>();
  return routes.flatMap(({ method, path, feature: name, isFacade: isProtocol, ofDecision, hasParameter }) => {
    const option = isProtocol ? "/facades" : "/features";
    const route = `${method} ${ofDecision ? "<decision>" : ""}${path}`;
    if (!routePath.test(path) || (ofDecision && hasParameter))
      return [{ path: option, message: `${name} serves ${route}, which is not a path such as /version` }];
    // They read the body that the decision's own route reads.
    if (ofDecision && method !== "POST")
      return [{ path: option, message: `${name} serves ${route}, but routes of decisions take POST` }];
    const isRepeated = seen.has(route);
    seen.add(route);
    const earlier = isProtocol ? "facade" : "feature";
    return isRepeated
      ? [{ path: option, message: `${name} serves ${route}, as an earlier ${earlier} does` }]
      : [];
  });
}
