import type { Decision, DecisionSetOptions, ErrorCode, EvaluatorOptions, KnownOptions } from "@decern/core";
import {
  createFeaturedService,
  decisionPath,
  decisionSetRows,
  Handler,
  prefixKind,
  type Target,
} from "@decern/core/host";
import { kinds, option, type RowsOf } from "@decern/core/options";
import type { FastifyInstance, FastifyRequest, RegisterOptions } from "fastify";
import { bodyErrors } from "./body-errors.js";
import { addFeatureRoute, addFeatureRoutes, errorsOf } from "./feature-routes.js";
import { usePreparedText } from "./prepared-text.js";
import { nameForbiddenKeys, readingOf } from "./request.js";
import { createResponder } from "./responder.js";

/** Options of {@link decisionPlugin}. */
export interface DecisionPluginOptions<
  Decisions extends readonly Decision[] = readonly Decision[],
  Key extends PropertyKey = PropertyKey,
  Given extends PropertyKey = PropertyKey,
> extends EvaluatorOptions,
    DecisionSetOptions<Decisions, Key, Given> {
  /** Path segments before the decision's id: `x`, `/x` and `/x/` are the same. @default none */
  readonly prefix?: string | undefined;
  /** Returns the caller's name, for rules, hooks, observers, `profileResolver` and `select`. @default no caller */
  readonly caller?: ((request: FastifyRequest) => string | undefined) | undefined;
}

declare module "fastify" {
  // `register` is overloaded, which keeps TypeScript from inferring what a plugin's options depend on; so this one has its own.
  interface FastifyRegister<T, RawServer, TypeProviderDefault, LoggerDefault> {
    <
      const Decisions extends readonly Decision[],
      Key extends PropertyKey = never,
      Given extends PropertyKey = never,
    >(
      plugin: typeof decisionPlugin,
      options: CheckedOptions<Decisions, Key, Given>,
    ): T;
    <
      const Decisions extends readonly Decision[],
      Key extends PropertyKey = never,
      Given extends PropertyKey = never,
    >(
      plugin: typeof decisionPlugin,
      options: (app: FastifyInstance) => CheckedOptions<Decisions, Key, Given>,
    ): T;
  }
}

/** What TypeScript checks of the options: that every profile is there, and of its type, and that nothing is misspelt. */
type CheckedOptions<
  Decisions extends readonly Decision[],
  Key extends PropertyKey,
  Given extends PropertyKey,
> = DecisionPluginOptions<Decisions, Key, Given> &
  ScopeOptions &
  KnownOptions<Given, DecisionPluginOptions & ScopeOptions>;

/** Fastify's own options of `register`. */
type ScopeOptions = Pick<RegisterOptions, "logLevel" | "logSerializers">;

const rows = {
  ...decisionSetRows,
  prefix: option(prefixKind),
  caller: option(kinds.callback<never>()),
  logLevel: option(kinds.anything<never>()),
  logSerializers: option(kinds.anything<never>()),
} satisfies RowsOf<DecisionPluginOptions & ScopeOptions>;

/** What Fastify's own declarations of `register` see, which would take any options: no list is one of these. */
interface RefusedOptions {
  readonly decisions: RefusedDecisions;
}

interface RefusedDecisions extends ReadonlyArray<Decision> {
  readonly "a profile is missing, or an option is wrong, which satisfies DecisionPluginOptions<typeof decisions> shows": never;
}

/**
 * Serves decisions, each at `POST <prefix>/<id>`, and each version at `POST <prefix>/<id>/versions/<version>`. You can register it plain, nested, several times, or wrapped by
 * `fastify-plugin`. It doesn't affect other routes.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * await app.register(decisionPlugin, { decisions: [loanApproval], prefix: "/decisions" });
 * ```
 */
export function decisionPlugin<
  const Decisions extends readonly Decision[],
  Key extends PropertyKey = never,
  Given extends PropertyKey = never,
>(app: FastifyInstance, options: CheckedOptions<Decisions, Key, Given>): Promise<void>;
export function decisionPlugin(app: FastifyInstance, options: RefusedOptions): Promise<void>;
export async function decisionPlugin(
  app: FastifyInstance,
  options: DecisionPluginOptions & ScopeOptions,
): Promise<void> {
  const { service, routes } = createFeaturedService("decisionPlugin", options, { rows, logger: app.log });
  const { logLevel, logSerializers } = options;
  const { catalogue, logger } = service;
  const prefix = appliesPrefix() ? options.prefix : undefined;
  const scopeOptions: RegisterOptions = {
    ...(logLevel === undefined ? {} : { logLevel }),
    ...(logSerializers === undefined ? {} : { logSerializers }),
  };
  const reading = readingOf(options);
  const handler = new Handler<FastifyRequest>(service);
  // First of all: a registration that fails further down leaves nothing behind once the host is closed.
  app.addHook("onClose", () => service.stop());
  /** Adds one of the plugin's routes. */
  const post = (
    scope: FastifyInstance,
    url: string,
    find: (request: FastifyRequest) => Target | ErrorCode,
  ): void => {
    const respond = createResponder(() => handler, find, { reading, hasInputMapper: false });
    scope.route({
      ...bodyErrors,
      method: "POST",
      url,
      handler: (request, reply) => respond(request, reply),
    });
  };
  // A scope keeps the parser and the hook from the host's other routes.
  await app.register(async (scope) => {
    nameForbiddenKeys(scope);
    scope.addHook("onRoute", usePreparedText);
    for (const id of catalogue.current.ids) {
      const path = decisionPath(prefix, id);
      post(scope, path, () => catalogue.find(id));
      const findVersion = ({ params }: FastifyRequest): Target | ErrorCode => {
        const version = versionIn(params);
        return typeof version === "string" ? catalogue.find(id, version) : "VERSION_NOT_FOUND";
      };
      post(scope, `${path}/versions/:version`, findVersion);
      for (const route of routes.filter(({ ofDecision }) => ofDecision)) {
        const own = { url: path + route.path, ...errorsOf(route) };
        addFeatureRoute(scope, route, own, { reading, logger }, () => catalogue.find(id));
        const pinned = { ...own, url: `${path}/versions/:version${route.path}` };
        addFeatureRoute(scope, route, pinned, { reading, logger }, findVersion);
      }
    }
    addFeatureRoutes(scope, routes, { reading, logger });
  }, scopeOptions);
}

function versionIn(params: unknown): unknown {
  return typeof params === "object" && params !== null ? Reflect.get(params, "version") : undefined;
}

const skipOverride: unique symbol = Symbol.for("skip-override");

// Fastify's documented mark, which `fastify-plugin` also sets: Fastify makes no scope for the plugin, and doesn't apply the
// prefix. The plugin does both itself, so that it works the same with and without `fastify-plugin`. See ADR 13.
Object.assign(decisionPlugin, { [skipOverride]: true });

/** Whether the prefix is left to the plugin. `fastify-plugin` with `encapsulate: true` removes the mark. */
function appliesPrefix(): boolean {
  return Reflect.get(decisionPlugin, skipOverride) === true;
}
