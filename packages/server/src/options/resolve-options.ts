import {
  DecernError,
  type ExplainFeature,
  type Logger,
  type MetricsFeature,
  type OpenAPIFeature,
  type Problem,
  type ProfileOverride,
} from "@decern/core";
import { createService, facadeProblems, loggerOf, type Service } from "@decern/core/host";
import { optionProblems } from "@decern/core/tools";
import { isRecord } from "../base/values.js";
import { enabledFeature, endpointProblems, trustProxyProblems } from "./option-problems.js";
import { type DefaultedOptions, isComplete, optionRows, withDefaults } from "./option-table.js";
import type { ServerOptions } from "./options.js";

/** Checked by `createService`. Only the caller needs to know how they are typed. */
type CatalogueOptions = "profiles" | "versions" | "shadow" | "callerProfiles";

/** Options as passed in. */
type GivenOptions = Omit<ServerOptions, CatalogueOptions> & { readonly [Name in CatalogueOptions]?: unknown };

/** Checked options, with defaults filled in. */
export interface ResolvedOptions extends Omit<DefaultedOptions, "logger"> {
  readonly service: Service;
  readonly profileOverride: ProfileOverride;
  readonly liveDocs: boolean;
  readonly logger: Logger;
  /** Absent when metrics are off. */
  readonly metrics: MetricsFeature | undefined;
  /** Absent when the OpenAPI document is off. */
  readonly openapi: OpenAPIFeature | undefined;
  /** Absent when nothing is explained. */
  readonly explain: ExplainFeature | undefined;
}

const kinds = Object.fromEntries(optionRows.map(([name, { kind }]) => [name, kind] as const));

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
  const explain = enabledFeature("explain", given.explain);
  const problems = [
    ...optionProblems(options, { kinds, required: ["decisions"] }).map(namingSuccessor),
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
  const filled = withDefaults(given);
  const complete = isComplete(filled) ? filled : undefined;
  const logger = loggerOf(complete?.logger === true ? undefined : complete?.logger);
  const { decisions, profiles, versions, shadow, facades, callerProfiles, profileResolver } = given;
  const { hooks, log } = given;
  const observers = [
    ...(metrics.feature === undefined ? [] : [metrics.feature.observer]),
    ...(complete?.observers ?? []),
  ];
  const profileOverride = given.profileOverride ?? "replace";
  const set = { decisions, profiles, versions, shadow, callerProfiles, profileResolver };
  const { clock, hookTimeoutMs } = complete ?? {};
  const service = createService(
    "createServer",
    { ...set, hooks, observers, clock, logger, hookTimeoutMs, log },
    {
      problems,
      check: (generation) => facadeProblems(facades, generation),
      override: profileOverride,
    },
  );
  if (complete === undefined) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
  return {
    ...complete,
    observers,
    service,
    profileOverride,
    liveDocs: complete.docs && (given.liveDocs ?? (given.log === undefined && !hooks?.beforeEvaluate)),
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

function servesRecords({ records }: Pick<GivenOptions, "records">): boolean {
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
}: GivenOptions): readonly Problem[] {
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
