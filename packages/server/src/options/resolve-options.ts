import type { Clock, Decision, Logger, MetricsFeature, OpenAPIFeature, Problem } from "@decern/core";
import {
  consoleLogger,
  evaluatorOptionKinds,
  type OptionTable,
  optionKinds,
  optionProblems,
  prepareCatalogue,
  systemClock,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { authenticateKind } from "../auth/authenticate-kind.js";
import type { OverloadOptions } from "../overload/overload.js";
import { enabledFeature } from "./check-feature.js";
import { endpointProblems } from "./endpoint-problems.js";
import type { ServerOptions } from "./options.js";
import { trustProxyProblems } from "./trust-proxy-problems.js";

/** Options as they are given. How profiles are typed is for the caller alone. */
type GivenOptions = Omit<ServerOptions, "profiles"> & { readonly profiles?: unknown };

/** Options with their defaults, checked. */
export interface ResolvedOptions {
  /** The decisions by id, each with its default profile. */
  readonly catalogue: ReadonlyMap<string, Decision>;
  readonly cors: boolean;
  readonly docs: boolean;
  readonly allowProfileOverride: boolean;
  readonly protectMetrics: boolean;
  readonly bodyLimit: number;
  readonly hookTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsFeature | undefined;
  readonly openapi: OpenAPIFeature | undefined;
}

const defaults = {
  cors: true,
  docs: true,
  allowProfileOverride: true,
  protectMetrics: false,
  bodyLimit: 1_048_576,
  hookTimeoutMs: 5000,
  requestTimeoutMs: 10_000,
  writeTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5000,
  closeTimeoutMs: 10_000,
} as const;

/** One of them at least makes `overload` do something. */
const limits = ["maxConcurrent", "maxEventLoopDelayMs"] as const;

const silent: Logger = { error() {} };

const { anything, flag, group, listOf, object, wholeNumber } = optionKinds;

const kinds: OptionTable<ServerOptions> = {
  // `prepareCatalogue` looks into both.
  decisions: listOf(anything),
  profiles: object,
  cors: flag,
  ...evaluatorOptionKinds,
  // `enabledFeature` looks into both.
  metrics: anything,
  openapi: anything,
  docs: flag,
  allowProfileOverride: flag,
  bodyLimit: wholeNumber,
  requestTimeoutMs: wholeNumber,
  writeTimeoutMs: wholeNumber,
  keepAliveTimeoutMs: wholeNumber,
  closeTimeoutMs: wholeNumber,
  logger: (value, path) => (typeof value === "boolean" ? [] : evaluatorOptionKinds.logger(value, path)),
  // Fastify says what it takes.
  trustProxy: anything,
  authenticate: authenticateKind,
  protectMetrics: flag,
  overload: group<OverloadOptions>({
    maxConcurrent: wholeNumber,
    maxEventLoopDelayMs: wholeNumber,
    retryAfterSeconds: wholeNumber,
  }),
};

/**
 * Fills in the defaults.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another, and
 *   everything that is wrong with the decisions and profiles
 */
export function resolveOptions(options: GivenOptions): ResolvedOptions {
  // What is no object has no options, and says so below.
  const given: GivenOptions = isJsonObject(options) ? options : { decisions: [] };
  const metrics = enabledFeature("metrics", given.metrics);
  const openapi = enabledFeature("openapi", given.openapi);
  const problems = [
    ...optionProblems(options, { kinds, required: ["decisions"] }),
    ...metrics.problems,
    ...openapi.problems,
    ...endpointProblems(metrics.feature, openapi.feature, given.docs !== false),
    ...contradictions(given, metrics.feature),
    ...trustProxyProblems(given.trustProxy),
  ];
  const logger = resolveLogger(given.logger ?? true);
  const allowProfileOverride = given.allowProfileOverride ?? defaults.allowProfileOverride;
  const { decisions, profiles, hooks } = given;
  const served = { decisions, profiles, hooks, logger };
  const catalogue = prepareCatalogue("createServer", served, problems, {
    fromCallers: allowProfileOverride,
  });
  return {
    catalogue,
    cors: options.cors ?? defaults.cors,
    docs: options.docs ?? defaults.docs,
    allowProfileOverride,
    protectMetrics: options.protectMetrics ?? defaults.protectMetrics,
    bodyLimit: options.bodyLimit ?? defaults.bodyLimit,
    hookTimeoutMs: options.hookTimeoutMs ?? defaults.hookTimeoutMs,
    requestTimeoutMs: options.requestTimeoutMs ?? defaults.requestTimeoutMs,
    writeTimeoutMs: options.writeTimeoutMs ?? defaults.writeTimeoutMs,
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? defaults.keepAliveTimeoutMs,
    closeTimeoutMs: options.closeTimeoutMs ?? defaults.closeTimeoutMs,
    clock: options.clock ?? systemClock,
    logger,
    metrics: metrics.feature,
    openapi: openapi.feature,
  };
}

function resolveLogger(logger: Logger | boolean): Logger {
  if (typeof logger === "object") return logger;
  return logger ? consoleLogger : silent;
}

/** Options that are right one by one, and make no sense together. */
function contradictions(
  { authenticate, overload, protectMetrics }: GivenOptions,
  metrics: MetricsFeature | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (isJsonObject(overload) && !limits.some((limit) => overload[limit] !== undefined)) {
    problems.push({ path: "/overload", message: `needs ${limits.join(" or ")}` });
  }
  if (protectMetrics === true && (authenticate === undefined || metrics === undefined)) {
    problems.push({ path: "/protectMetrics", message: "needs authenticate, and metrics that are on" });
  }
  return problems;
}
