import {
  DecernError,
  type ExplainFeature,
  type Logger,
  type MetricsFeature,
  type OpenAPIFeature,
  type Problem,
} from "@decern/core";
import {
  createService,
  featureProblems,
  loggerOf,
  type Service,
  withFeatureObservers,
} from "@decern/core/host";
import { readOptions } from "@decern/core/tools";
import { isRecord } from "../base/values.js";
import { enabledFeature, endpointProblems, trustProxyProblems } from "./option-problems.js";
import type { ServerOptions } from "./options.js";
import { type CheckedOptions, serverRows } from "./rows.js";

/** Checked options, with what was made of them. */
export interface ServerSettings
  extends Omit<CheckedOptions, "logger" | "liveDocs" | "metrics" | "openapi" | "explain"> {
  readonly service: Service;
  readonly liveDocs: boolean;
  readonly logger: Logger;
  /** Absent when metrics are off. */
  readonly metrics: MetricsFeature | undefined;
  /** Absent when the OpenAPI document is off. */
  readonly openapi: OpenAPIFeature | undefined;
  /** Absent when nothing is explained. */
  readonly explain: ExplainFeature | undefined;
}

/**
 * Checks the options, fills in their defaults and makes the service.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another, and
 *   everything that is wrong with the decisions and profiles
 */
export function readServerOptions(options: ServerOptions): ServerSettings {
  // `readOptions` reports options that are not an object.
  const given: ServerOptions = isRecord(options) ? options : { decisions: [] };
  const metrics = enabledFeature("metrics", given.metrics);
  const openapi = enabledFeature("openapi", given.openapi);
  const explain = enabledFeature("explain", given.explain);
  const read = readOptions(options, serverRows);
  const problems = [
    ...read.problems.map(namingSuccessor),
    ...metrics.problems,
    ...openapi.problems,
    ...explain.problems,
    ...endpointProblems(metrics.feature, openapi.feature, {
      docs: given.docs !== false,
      records: servesRecords(given),
    }),
    ...contradictions(given),
    ...trustProxyProblems(given.trustProxy),
  ];
  const { options: checked } = read;
  const logger = loggerOf(checked?.logger === true ? undefined : checked?.logger);
  const featured = withFeatureObservers({ ...given, ...checked, logger });
  const observers = [
    ...(metrics.feature === undefined ? [] : [metrics.feature.observer]),
    ...(checked === undefined ? [] : (featured.observers ?? [])),
  ];
  const service = createService(
    "createServer",
    { ...featured, observers },
    {
      problems,
      check: (generation) => featureProblems(given, generation),
      override: checked?.profileOverride ?? "replace",
    },
  );
  if (checked === undefined) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
  const { docs, hooks, log, liveDocs = log === undefined && !hooks?.beforeEvaluate } = checked;
  return {
    ...checked,
    observers,
    service,
    liveDocs: docs && liveDocs,
    logger,
    metrics: metrics.feature,
    openapi: openapi.feature,
    explain: explain.feature,
  };
}

/** Names what replaced an option that many hosts know: docs/adr/0025. */
function namingSuccessor(problem: Problem): Problem {
  if (problem.path !== "/allowProfileOverride") return problem;
  return { ...problem, message: "is unknown: write profileOverride: false to refuse profiles of callers" };
}

function servesRecords({ records }: Pick<ServerOptions, "records">): boolean {
  return records === true || typeof records === "function";
}

/** Options that are valid on their own but contradict one another. */
function contradictions({
  authenticate,
  docs,
  explain,
  hooks,
  liveDocs,
  log,
  records,
}: ServerOptions): readonly Problem[] {
  const problems: Problem[] = [];
  if (explain !== undefined && hooks?.beforeEvaluate !== undefined) {
    // It may refuse the caller, or change the call: the explanation would be of a different call.
    problems.push({
      path: "/explain",
      message: "contradicts hooks.beforeEvaluate, which explanations do not run",
    });
  }
  if (liveDocs === true && docs === false) problems.push({ path: "/liveDocs", message: "requires docs" });
  if (servesRecords({ records }) && (typeof log !== "object" || typeof authenticate !== "function")) {
    problems.push({ path: "/records", message: "requires log and authenticate" });
  }
  return problems;
}
