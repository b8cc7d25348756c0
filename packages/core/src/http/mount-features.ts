import { type Awaitable, isThenable, settleWithin } from "../base/awaitable.js";
import { DecernError, type ErrorReply, errorBody, type Problem, toErrorReply } from "../base/errors.js";
import { isJsonObject } from "../base/json-schema.js";
import { feature, type Kind, kinds } from "../base/options.js";
import type { Origin, SentProfile } from "../service/call.js";
import type { Generation, Target } from "../service/catalogue.js";
import type { EvaluatorOptions } from "../service/evaluator-options.js";
import type { Run } from "../service/run.js";
import type { Service } from "../service/service.js";
import { Lists } from "./batch.js";
import type { HostRequest } from "./exchange.js";
import type { Facade, Feature, FeatureHost, FeatureReply, FeatureRequest, FeatureRoute } from "./feature.js";
import { Handler } from "./handler.js";
import { type Reply, replyOf } from "./reply.js";

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
class MountedRequest implements FeatureRequest {
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
  /** Whether its feature has a form of errors of its own. */
  readonly isFacade: boolean;
  readonly #feature: Feature | Facade;
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
    this.isFacade = isFacade(given);
    this.#feature = given;
    this.#route = route;
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
    const given = this.#feature;
    const reply = isFacade(given)
      ? given.refuse(error, { headers, params: this.#paramsOf(received) })
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

/** Offers a service to its features. Only requests of {@link MountedRoute} come back to it. */
class ServiceHost implements FeatureHost {
  readonly #service: Service;
  readonly #handler: Handler<unknown>;
  readonly #lists: Lists;

  constructor(service: Service) {
    this.#service = service;
    this.#handler = new Handler(service);
    this.#lists = new Lists(service.runner);
  }

  evaluate(
    request: FeatureRequest,
    { id }: { readonly id: string },
    input: () => unknown,
    onResult?: Parameters<FeatureHost["evaluate"]>[3],
  ): Awaitable<Reply> {
    const mounted = mountedOf(request);
    const asked = mounted.asked?.target;
    const target = asked?.served.id === id ? asked : this.#service.catalogue.current.find(id);
    if (typeof target === "string") throw new DecernError(target, { detail: id });
    const keep = (run: Run): Reply => {
      const { afterwards } = run;
      if (afterwards !== undefined) mounted.afterwards(() => void this.#onceRoom(afterwards));
      return replyOf(run);
    };
    const asking: HostRequest = {
      source: mounted.source,
      requestId: request.requestId,
      origin: () => request.origin(),
      input,
    };
    const evaluate = (): Awaitable<Reply> => {
      const run = this.#handler.run(asking, target, onResult);
      return isThenable(run) ? run.then(keep) : keep(run);
    };
    if (mounted.isList) return this.#onceRoom(evaluate);
    mounted.isList = true;
    return evaluate();
  }

  async evaluateAll<Item, Answer>(
    request: FeatureRequest,
    items: readonly Item[],
    evaluate: (item: Item) => Awaitable<Answer>,
    isLast?: ((answer: Answer) => boolean) | undefined,
  ): Promise<readonly Answer[]> {
    if (isLast !== undefined) return this.#lists.oneByOne(items, evaluate, isLast);
    const answers: Answer[] = [];
    const places = this.#lists.placesOf(request, () => request.isGone());
    for await (const _ of this.#lists.slices(items, places, evaluate, (one) => answers.push(one) > 0));
    return answers;
  }

  async callOf(request: FeatureRequest): ReturnType<FeatureHost["callOf"]> {
    const { asked, source } = mountedOf(request);
    if (asked === undefined) throw new DecernError("DECISION_NOT_FOUND");
    const { chooser, runner } = this.#service;
    const { target, input } = asked;
    const origin = request.origin();
    // What is evaluated with the call again and again has one profile.
    const sent = asked.sent && { ...asked.sent, shared: new Map() };
    const choosing = chooser.choose(target, origin, input, sent, source);
    const choice = isThenable(choosing)
      ? await settleWithin("profileResolver", runner.hookTimeoutMs, choosing)
      : choosing;
    const call = this.#service.callFor(choice, origin, input, request.requestId);
    return { call, profileFrom: choice.profileFrom, headers: choice.headers };
  }

  #onceRoom<T>(work: () => Awaitable<T>): Awaitable<T> {
    const waiting = this.#lists.whenRoom();
    return isThenable(waiting) ? waiting.then(work) : work();
  }
}

/** @throws DecernError `INTERNAL_ERROR` for a request that no route of a feature got */
function mountedOf(request: FeatureRequest): MountedRequest {
  if (request instanceof MountedRequest) return request;
  const detail = "a feature must pass the request that its route got";
  throw new DecernError("INTERNAL_ERROR", { detail });
}

/** What hosts take of features. */
export interface GivenFeatures {
  readonly features?: readonly Feature[] | undefined;
  readonly facades?: readonly Facade[] | undefined;
}

/**
 * Makes the routes of a host's features, in order: those of the host's own, then facades. `featureProblems` has checked them.
 *
 * @throws DecernError `INVALID_OPTIONS` for a route that an earlier feature has, or that a feature refuses to make
 */
export function mountFeatures(
  { features = [], facades = [] }: GivenFeatures,
  service: Service,
): readonly MountedRoute[] {
  const host = new ServiceHost(service);
  const routes = [...features, ...facades].flatMap((given) =>
    (given.routes?.(host) ?? []).map((route) => new MountedRoute(given, route)),
  );
  const problems = routeProblems(routes);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "features", problems });
  return routes;
}

/** The options of a service, with the observers of its features before the host's own. */
export function withFeatureObservers<Options extends GivenFeatures & Pick<EvaluatorOptions, "observers">>(
  options: Options,
): Options {
  // JavaScript callers may give anything; `createService` finds what is wrong.
  const { features, observers } = isJsonObject(options) ? options : {};
  const own = Array.isArray(features)
    ? features.filter(isFeature).flatMap(({ observer }) => observer ?? [])
    : [];
  if (own.length === 0) return options;
  return { ...options, observers: [...own, ...(Array.isArray(observers) ? observers : [])] };
}

/** Finds values that are no feature, facades that evaluate a decision which isn't served, and what features find themselves. */
export function featureProblems(
  { features, facades }: { readonly features?: unknown; readonly facades?: unknown },
  { decisions, versions }: Generation,
): readonly Problem[] {
  const own = listed(features, "/features", (given, path) => {
    const problems = isFeature(given) ? (given.check?.(versions) ?? []) : [];
    return problems.map((problem) => ({ ...problem, path: path + problem.path }));
  });
  const protocols = listed(facades, "/facades", (given, path) => {
    if (!isFacade(given)) {
      const message = "is not a facade; make it with a package such as @decern/authzen";
      return [{ path, message }];
    }
    const isServed = (decision: Facade["decisions"][number]): boolean =>
      [...(decisions.get(decision.id)?.versions.values() ?? [])].some((one) => one.decision === decision);
    return given.decisions
      .filter((decision) => !isServed(decision))
      .map(({ id, version }) => ({
        path,
        message: `${given.name} evaluates version ${version} of "${id}", which is not among the decisions`,
      }));
  });
  return [...own, ...protocols];
}

function listed(
  given: unknown,
  path: string,
  find: (one: unknown, path: string) => readonly Problem[],
): readonly Problem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [{ path, message: "must be a list" }];
  // `Array.from` sees the holes that `flatMap` alone would skip.
  return Array.from(given, (one: unknown) => one).flatMap((one, index) => find(one, `${path}/${index}`));
}

/** The kind of one feature. It may be an instance of a class. */
export const featureKind: Kind<Feature> = (value, path) => {
  if (!isJsonObject(value)) return [{ path, message: "must be a feature: an object with a name" }];
  const { name, observer, check, routes } = value;
  const optional = (kind: Kind<never>, own: unknown, member: string): readonly Problem[] =>
    own === undefined ? [] : kind(own, `${path}/${member}`);
  return [
    ...kinds.nonEmptyText(name, `${path}/name`),
    ...optional(kinds.withMethods("onEvaluated"), observer, "observer"),
    ...optional(kinds.callback(), check, "check"),
    ...optional(kinds.callback(), routes, "routes"),
  ];
};

function isFeature(value: unknown): value is Feature {
  return featureKind(value, "").length === 0;
}

function isFacade(value: unknown): value is Facade {
  return isJsonObject(value) && feature in value && value[feature] === "facade";
}

/** Plain segments, and maybe a parameter at the end. */
const routePath = /^(?:\/[A-Za-z0-9._~-]+)+(?:\/:\w+)?$/;

/** Finds routes that an earlier feature has, and paths that hosts could not serve alike. */
function routeProblems(routes: readonly MountedRoute[]): readonly Problem[] {
  const seen = new Set<string>();
  return routes.flatMap(({ method, path, feature: name, isFacade: isProtocol, ofDecision, hasParameter }) => {
    const option = isProtocol ? "/facades" : "/features";
    const route = `${method} ${ofDecision ? "<decision>" : ""}${path}`;
    if (!routePath.test(path) || (ofDecision && hasParameter))
      return [{ path: option, message: `${name} serves ${route}, which is not a path such as /version` }];
    const isRepeated = seen.has(route);
    seen.add(route);
    const earlier = isProtocol ? "facade" : "feature";
    return isRepeated
      ? [{ path: option, message: `${name} serves ${route}, as an earlier ${earlier} does` }]
      : [];
  });
}
