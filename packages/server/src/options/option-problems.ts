import type { MetricsFeature, OpenAPIFeature, Problem } from "@decern/core";
import { endpointKind, type MountedRoute } from "@decern/core/host";
import { feature } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import fastify from "fastify";
import type { ServerOptions } from "./options.js";

/** A feature that is on, or the reason why it cannot be used. */
interface CheckedFeature<Feature> {
  readonly feature: Feature | undefined;
  readonly problems: readonly Problem[];
}

type FeatureName = "explain" | "metrics" | "openapi";

const off = { feature: undefined, problems: [] } as const;

/**
 * Distinguishes a feature that its package built from plain options.
 *
 * @returns the feature if it is on; a problem for plain options with `enabled: true`, which would be ignored
 */
export function enabledFeature<Feature extends { readonly enabled: boolean; readonly [feature]: string }>(
  name: FeatureName,
  given: Feature | { readonly enabled?: false | undefined } | undefined,
): CheckedFeature<Feature> {
  if (given === undefined) return off;
  if (!isJsonObject(given)) return notBuilt(name, "is not a feature");
  if (feature in given) {
    if (given[feature] !== name) return notBuilt(name, `was built by ${given[feature]}()`);
    return given.enabled ? { feature: given, problems: [] } : off;
  }
  const { enabled }: { readonly enabled?: unknown } = given;
  if (enabled === undefined || enabled === false) return off;
  return notBuilt(name, "is a plain object");
}

function notBuilt(name: FeatureName, what: string): CheckedFeature<never> {
  const message =
    `${what}. Install @decern/${name}, then write: import { ${name} } from "@decern/${name}"; ` +
    `createServer({ ${name}: ${name}(${name === "explain" ? "" : "{ enabled: true }"}) })`;
  return { feature: undefined, problems: [{ path: `/${name}`, message }] };
}

/** Paths of the server's own. */
function ownPaths(pages: { readonly docs: boolean; readonly records: boolean }): readonly string[] {
  return ["/decisions", "/health", ...(pages.docs ? ["/docs"] : []), ...(pages.records ? ["/records"] : [])];
}

/** Finds routes of features that the server itself has. */
export function routeProblems(
  routes: readonly MountedRoute[],
  pages: { readonly docs: boolean; readonly records: boolean },
): readonly Problem[] {
  return routes.flatMap(({ ofDecision, path, feature: name }) => {
    const problem = ofDecision ? undefined : problemOf(path, ownPaths(pages));
    return problem === undefined
      ? []
      : [{ path: "/features", message: `${name} serves ${path}, which ${problem}` }];
  });
}

/** Finds endpoints that are not a path, or that are already in use. */
export function endpointProblems(
  metrics: MetricsFeature | undefined,
  openapi: OpenAPIFeature | undefined,
  pages: { readonly docs: boolean; readonly records: boolean },
): Problem[] {
  const page = openapi?.swaggerUI === true ? openapi.swaggerEndpoint : undefined;
  const taken = ownPaths(pages);
  const ofPage =
    page === undefined ? [] : ["json", "yaml", "static", "assets"].map((name) => `${page}/${name}`);
  const endpoints: [option: string, path: string, others: readonly string[]][] = [];
  if (metrics !== undefined) endpoints.push(["/metrics/endpoint", metrics.endpoint, ofPage]);
  if (openapi !== undefined) endpoints.push(["/openapi/endpoint", openapi.endpoint, ofPage]);
  if (page !== undefined) endpoints.push(["/openapi/swaggerEndpoint", page, []]);
  return endpoints.flatMap(([option, path, others], index) => {
    const problems = endpointKind(path, option);
    if (problems.length > 0) return problems;
    const earlier = endpoints.slice(0, index).map(([, endpoint]) => endpoint);
    const message = problemOf(path, [...taken, ...others, ...earlier]);
    return message === undefined ? [] : [{ path: option, message }];
  });
}

function problemOf(path: string, others: readonly string[]): string | undefined {
  const other = others.find((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return other === undefined ? undefined : `is already in use by ${other}`;
}

/** Finds values of `trustProxy` that Fastify rejects. It parses addresses when an application is created, and throws. */
export function trustProxyProblems(trustProxy: ServerOptions["trustProxy"]): Problem[] {
  if (trustProxy === undefined || typeof trustProxy === "boolean" || typeof trustProxy === "function")
    return [];
  // Fastify would silently trust no proxy.
  if (
    trustProxy === null ||
    (typeof trustProxy === "number" && !(Number.isInteger(trustProxy) && trustProxy >= 0))
  ) {
    return [
      { path: "/trustProxy", message: "must be true or false, addresses, a whole number, or a function" },
    ];
  }
  try {
    fastify({ trustProxy });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: "/trustProxy", message: `is rejected by Fastify: ${reason}` }];
  }
  return [];
}
