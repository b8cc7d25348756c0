import { DecernError, type Problem } from "../base/errors.js";
import { isJsonObject } from "../base/json.js";
import { kinds } from "../base/kinds.js";
import type { Kind } from "../base/options.js";
import { type Awaitable, isThenable, settleWithin } from "../base/time.js";
import { createService, type ServiceHost, type ServiceOptions } from "../service/create-service.js";
import type { Generation } from "../service/generation.js";
import type { Run } from "../service/run.js";
import type { Service } from "../service/service.js";
import { Lists } from "./batch.js";
import type { Facade, Feature, FeatureHost, FeatureRequest } from "./feature.js";
import { Handler } from "./handler.js";
import { facadeOf, MountedRequest, MountedRoute, routeProblems } from "./mounted-route.js";
import { type HostRequest, type Reply, replyOf } from "./reply.js";

/** Offers a service to its features. Only requests of {@link MountedRoute} come back to it. */
class ServiceFeatures implements FeatureHost {
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
    const target = asked?.served.id === id ? asked : this.#service.catalogue.find(id);
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

/** What a host of several decisions adds to its service. */
interface FeaturedHost extends ServiceHost {
  /** The host's own, before those that it was given. */
  readonly ownFeatures?: readonly Feature[] | undefined;
}

/**
 * Makes the service of a host of several decisions, and the routes of its features in order: the host's own, those that it was
 * given, then facades.
 *
 * @throws DecernError `INVALID_OPTIONS` as `createService`, for what isn't a feature, and for a route that an earlier feature has
 */
export function createFeaturedService(
  owner: string,
  options: ServiceOptions & GivenFeatures,
  host: FeaturedHost,
): { readonly service: Service; readonly routes: readonly MountedRoute[] } {
  const check = (generation: Generation): readonly Problem[] => [
    ...(host.check?.(generation) ?? []),
    // Features get all decisions, or none yet; facades take only those that never change.
    ...(generation.set.awaited.length === 0 ? featureProblems(options, generation) : []),
    ...facadeProblems(options, generation),
  ];
  const service = createService(owner, withObservers(options, host.ownFeatures), { ...host, check });
  const { features = [], facades = [] } = options;
  try {
    return {
      service,
      routes: mountFeatures([...(host.ownFeatures ?? []), ...features, ...facades], service),
    };
  } catch (thrown) {
    void service.stop();
    throw thrown;
  }
}

/** @throws DecernError `INVALID_OPTIONS` for a route that an earlier feature has, or that a feature refuses to make */
export function mountFeatures(
  features: readonly (Feature | Facade)[],
  service: Service,
): readonly MountedRoute[] {
  const host = new ServiceFeatures(service);
  const routes = features.flatMap((given) =>
    (given.routes?.(host) ?? []).map((route) => new MountedRoute(given, route)),
  );
  const problems = routeProblems(routes);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "features", problems });
  return routes;
}

/** The options with the observers of features before the host's own. */
function withObservers<Options extends ServiceOptions & GivenFeatures>(
  options: Options,
  ownFeatures: readonly Feature[] = [],
): Options {
  // JavaScript callers may give anything; `createService` finds what is wrong.
  const { features, observers } = isJsonObject(options) ? options : {};
  const given = Array.isArray(features) ? features.flatMap((one: unknown) => featureOf(one) ?? []) : [];
  const own = [...ownFeatures, ...given].flatMap(({ observer }) => observer ?? []);
  if (own.length === 0) return options;
  return { ...options, observers: [...own, ...(Array.isArray(observers) ? observers : [])] };
}

/** Finds what features find themselves. */
function featureProblems(
  { features }: { readonly features?: unknown },
  { versions }: Generation,
): readonly Problem[] {
  return listed(features, "/features", (given, path) => {
    const problems = featureOf(given)?.check?.(versions) ?? [];
    return problems.map((problem) => ({ ...problem, path: path + problem.path }));
  });
}

/** Finds values that aren't facades, and facades whose decision isn't served or may change. */
function facadeProblems(
  { facades }: { readonly facades?: unknown },
  { decisions, set }: Generation,
): readonly Problem[] {
  return listed(facades, "/facades", (given, path) => {
    const facade = facadeOf(given);
    if (facade === undefined) {
      const message = "is not a facade; make it with a package such as @decern/authzen";
      return [{ path, message }];
    }
    const isServed = (decision: Facade["decisions"][number]): boolean =>
      [...(decisions.get(decision.id)?.versions.values() ?? [])].some((one) => one.decision === decision);
    return facade.decisions
      .filter((decision) => !isServed(decision))
      .map(({ id, version }) => ({
        path,
        message: set.awaited.includes(id)
          ? `${facade.name} evaluates "${id}", which watchDecisions loads; facades evaluate decisions of code, which go into fixed`
          : `${facade.name} evaluates version ${version} of "${id}", which is not among the decisions`,
      }));
  });
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

function featureOf(value: unknown): Feature | undefined {
  if (featureKind(value, "").length > 0) return undefined;
  // Every member has been checked to be there, and a function where it is one.
  return value as Feature;
}
