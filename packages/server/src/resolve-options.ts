import {
  type Clock,
  checkOptions,
  consoleLogger,
  DecernError,
  type Logger,
  type MetricsFeature,
  type OpenAPIFeature,
  type Problem,
  systemClock,
} from "@decern/core";
import { enabledFeature } from "./check-feature.js";
import { endpointProblems } from "./endpoint-problems.js";
import type { ServerOptions } from "./options.js";
import { trustProxyProblems } from "./trust-proxy-problems.js";

/** Options with their defaults, checked. */
export interface ResolvedOptions {
  readonly cors: boolean;
  readonly docs: boolean;
  readonly allowProfileOverride: boolean;
  readonly protectMetrics: boolean;
  readonly bodyLimit: number;
  readonly hookTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsFeature | undefined;
  readonly openapi: OpenAPIFeature | undefined;
}

const flags = { cors: true, docs: true, allowProfileOverride: true, protectMetrics: false } as const;

const numbers = {
  bodyLimit: 1_048_576,
  hookTimeoutMs: 5000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 5000,
  closeTimeoutMs: 10_000,
} as const;

const others = [
  "decisions",
  "profiles",
  "hooks",
  "observers",
  "metrics",
  "openapi",
  "clock",
  "logger",
  "trustProxy",
  "authenticate",
  "overload",
] as const;

const silent: Logger = { error() {} };

/** Most that a timer of Node takes. */
const maxNumber = 2_147_483_647;

/**
 * Fills in the defaults.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another
 */
export function resolveOptions(options: Omit<ServerOptions, "profiles">): ResolvedOptions {
  checkOptions("createServer", options, {
    known: [...others, ...Object.keys(flags), ...Object.keys(numbers)],
    required: ["decisions"],
  });
  const { hooks, overload } = options;
  checkOptions("createServer hooks", hooks ?? {}, { known: ["beforeEvaluate", "afterEvaluate", "onError"] });
  checkOptions("createServer overload", overload ?? {}, {
    known: ["maxConcurrent", "maxEventLoopDelayMs", "retryAfterSeconds"],
  });
  const metrics = enabledFeature("metrics", options.metrics);
  const openapi = enabledFeature("openapi", options.openapi);
  const problems = [
    ...flagProblems(options),
    ...numberProblems(options),
    ...functionProblems(options),
    ...endpointProblems(metrics, openapi, options.docs !== false),
    ...trustProxyProblems(options.trustProxy),
  ];
  if (
    overload !== undefined &&
    overload.maxConcurrent === undefined &&
    overload.maxEventLoopDelayMs === undefined
  ) {
    problems.push({ path: "/overload", message: "needs maxConcurrent or maxEventLoopDelayMs" });
  }
  if (options.protectMetrics === true && (options.authenticate === undefined || metrics === undefined)) {
    problems.push({ path: "/protectMetrics", message: "needs authenticate, and metrics that are on" });
  }
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
  return {
    cors: options.cors ?? flags.cors,
    docs: options.docs ?? flags.docs,
    allowProfileOverride: options.allowProfileOverride ?? flags.allowProfileOverride,
    protectMetrics: options.protectMetrics ?? flags.protectMetrics,
    bodyLimit: options.bodyLimit ?? numbers.bodyLimit,
    hookTimeoutMs: options.hookTimeoutMs ?? numbers.hookTimeoutMs,
    requestTimeoutMs: options.requestTimeoutMs ?? numbers.requestTimeoutMs,
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? numbers.keepAliveTimeoutMs,
    closeTimeoutMs: options.closeTimeoutMs ?? numbers.closeTimeoutMs,
    clock: options.clock ?? systemClock,
    logger: resolveLogger(options.logger ?? true),
    metrics,
    openapi,
  };
}

function resolveLogger(logger: Logger | boolean): Logger {
  if (typeof logger === "object") return logger;
  return logger ? consoleLogger : silent;
}

function flagProblems(options: Readonly<Record<keyof typeof flags, unknown>> | object): Problem[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (!(name in flags) || value === undefined || typeof value === "boolean") return [];
    return [{ path: `/${name}`, message: "has to be true or false" }];
  });
}

function numberProblems(options: Omit<ServerOptions, "profiles">): Problem[] {
  const given = Object.entries(options).flatMap(([name, value]) =>
    name in numbers ? [[`/${name}`, value]] : [],
  );
  const nested = Object.entries(options.overload ?? {}).map(([name, value]) => [`/overload/${name}`, value]);
  return [...given, ...nested].flatMap(([path, value]) => {
    if (value === undefined) return [];
    if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxNumber) return [];
    return [{ path: String(path), message: `has to be a whole number from 1 to ${maxNumber}` }];
  });
}

function functionProblems(options: Omit<ServerOptions, "profiles">): Problem[] {
  const { hooks, authenticate, logger, observers } = options;
  const functions: [path: string, value: unknown][] = [
    ["/authenticate", authenticate],
    ...Object.entries(hooks ?? {}).map(([name, value]): [string, unknown] => [`/hooks/${name}`, value]),
  ];
  if (typeof logger === "object") functions.push(["/logger/error", logger?.error ?? null]);
  const wrong = functions.filter(([, value]) => value !== undefined && typeof value !== "function");
  const problems = wrong.map(([path]) => ({ path, message: "has to be a function" }));
  if (observers !== undefined && !Array.isArray(observers)) {
    problems.push({ path: "/observers", message: "has to be a list" });
  }
  return problems;
}
