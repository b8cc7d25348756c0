import {
  DecernError,
  type Decision,
  type Logger,
  type MetricsFeature,
  type OpenAPIFeature,
  type Problem,
} from "@decern/core";
import { consoleLogger, optionProblems, prepareCatalogue } from "@decern/core/host";
import { isRecord } from "../is-record.js";
import { enabledFeature } from "./check-feature.js";
import { endpointProblems } from "./endpoint-problems.js";
import { optionRows } from "./option-table.js";
import type { ServerOptions } from "./options.js";
import { trustProxyProblems } from "./trust-proxy-problems.js";
import { type DefaultedOptions, isComplete, withDefaults } from "./with-defaults.js";

/** Options as they are given. Only the caller needs to know how profiles are typed. */
type GivenOptions = Omit<ServerOptions, "profiles"> & { readonly profiles?: unknown };

/** Options that were checked, with their defaults. */
export interface ResolvedOptions extends Omit<DefaultedOptions, "logger"> {
  /** The decisions by id, each with its default profile. */
  readonly catalogue: ReadonlyMap<string, Decision>;
  readonly logger: Logger;
  /** Absent when metrics are off. */
  readonly metrics: MetricsFeature | undefined;
  /** Absent when the OpenAPI document is off. */
  readonly openapi: OpenAPIFeature | undefined;
}

/** `overload` needs at least one of these. */
const limits = ["maxConcurrent", "maxEventLoopDelayMs"] as const;

const kinds = Object.fromEntries(optionRows.map(([name, { kind }]) => [name, kind] as const));

const silent: Logger = { error() {} };

/**
 * Checks the options and fills in their defaults.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another, and
 *   everything that is wrong with the decisions and profiles
 */
export function resolveOptions(options: GivenOptions): ResolvedOptions {
  // `optionProblems` reports options that are not an object.
  const given: GivenOptions = isRecord(options) ? options : { decisions: [] };
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
  const filled = withDefaults(given);
  const complete = isComplete(filled) ? filled : undefined;
  const logger = resolveLogger(complete?.logger ?? true);
  const { decisions, profiles, hooks } = given;
  const catalogue = prepareCatalogue("createServer", { decisions, profiles, hooks, logger }, problems, {
    fromCallers: complete?.allowProfileOverride ?? true,
  });
  if (complete === undefined) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
  return {
    ...complete,
    catalogue,
    logger,
    metrics: metrics.feature,
    openapi: openapi.feature,
  };
}

function resolveLogger(logger: Logger | boolean): Logger {
  if (typeof logger === "object") return logger;
  return logger ? consoleLogger : silent;
}

/** Options that are valid on their own but contradict one another. */
function contradictions(
  { authenticate, overload, protectMetrics }: GivenOptions,
  metrics: MetricsFeature | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (isRecord(overload) && !limits.some((limit) => overload[limit] !== undefined)) {
    problems.push({ path: "/overload", message: `needs ${limits.join(" or ")}` });
  }
  if (protectMetrics === true && (authenticate === undefined || metrics === undefined)) {
    problems.push({ path: "/protectMetrics", message: "needs authenticate, and metrics that are on" });
  }
  return problems;
}
