import type { Logger } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import { checkOptions, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";

/** Options of a collector. */
export interface MetricsCollectorOptions {
  /**
   * Bucket bounds of every histogram, ascending and finite; for durations, in seconds.
   * @default from 10 microseconds to 10 seconds in 16 steps
   */
  readonly buckets?: readonly number[] | undefined;
  /** How many series a metric may have. Further ones are counted together in one more. @default 10000 */
  readonly maxSeries?: number | undefined;
  /** Whether evaluations are counted by version too, in the label `decision_version`. @default false */
  readonly versionLabel?: boolean | undefined;
  /** Whether pages have metrics of the process, its event loop and its build. @default false; with `metrics`, as `enabled` */
  readonly processMetrics?: boolean | undefined;
  /** The host's build, such as a commit, for `decern_build_info`. @default none */
  readonly build?: string | undefined;
  /** Receives one error for each metric that reaches `maxSeries`. @default writes to standard error */
  readonly logger?: Logger | undefined;
}

/** Options of `metrics`. */
export interface MetricsOptions extends MetricsCollectorOptions {
  /** Whether evaluations are recorded and the page is served. @default false */
  readonly enabled?: boolean | undefined;
  /** Path of the page. @default "/metrics" */
  readonly endpoint?: string | undefined;
}

const { flag, listOf, withMethods } = optionKinds;

const finiteNumber: OptionKind = (value, path) =>
  Number.isFinite(value) ? [] : [{ path, message: "must be a finite number; +Inf is added" }];

const boundList = listOf(finiteNumber, { nonEmpty: true });

const bucketsKind: OptionKind = (value, path) => {
  const problems = boundList(value, path);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  return value.flatMap((bound, index) =>
    index > 0 && bound <= value[index - 1]
      ? [{ path: `${path}/${index}`, message: "must be above the bound before it" }]
      : [],
  );
};

const seriesCount: OptionKind = (value, path) =>
  Number.isSafeInteger(value) && Number(value) > 0
    ? []
    : [{ path, message: "must be a whole number above 0" }];

const text: OptionKind = (value, path) =>
  typeof value === "string" && value !== "" ? [] : [{ path, message: "must be a non-empty string" }];

const collectorOptionKinds: OptionTable<MetricsCollectorOptions> = {
  buckets: bucketsKind,
  maxSeries: seriesCount,
  versionLabel: flag,
  processMetrics: flag,
  build: text,
  logger: withMethods("error"),
};

const metricsOptionKinds: OptionTable<MetricsOptions> = {
  ...collectorOptionKinds,
  enabled: flag,
  endpoint: endpointKind,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkCollectorOptions(options: MetricsCollectorOptions): void {
  checkOptions("new MetricsCollector", options, { kinds: collectorOptionKinds });
}

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkMetricsOptions(options: MetricsOptions): void {
  checkOptions("metrics", options, { kinds: metricsOptionKinds });
}
