import type { Logger } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import { type Kind, kinds, type OptionsOf, option } from "@decern/core/options";

/** Bucket bounds in seconds: from a decision with two rules to one that waits for a slow hook. */
const defaultBuckets: readonly number[] = [
  0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const boundList = kinds.listOf(
  kinds.that<number>((value) => Number.isFinite(value), "must be a finite number; +Inf is added"),
  { nonEmpty: true },
);

const bucketBounds: Kind<readonly number[]> = (value, path) => {
  const problems = boundList(value, path);
  if (problems.length > 0 || !Array.isArray(value)) return problems;
  return value.flatMap((bound, index) =>
    index > 0 && bound <= value[index - 1]
      ? [{ path: `${path}/${index}`, message: "must be above the bound before it" }]
      : [],
  );
};

const seriesCount = kinds.that<number>(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  "must be a whole number above 0",
);

const text = kinds.that<string>(
  (value) => typeof value === "string" && value !== "",
  "must be a non-empty string",
);

export const collectorRows = {
  /** Bounds of histograms, ascending, in seconds. @default 10 µs to 10 s */
  buckets: option(bucketBounds, defaultBuckets),
  /** Series per metric; all others count in one labelled `__overflow__`. @default 10000 */
  maxSeries: option(seriesCount, 10_000),
  /** Labels evaluations with `decision_version`. @default false */
  versionLabel: option(kinds.flag, false),
  /** Names the latest request and trace of each bucket, in OpenMetrics. @default false */
  exemplars: option(kinds.flag, false),
  /**
   * Adds CPU time, memory, event-loop delay and `decern_build_info`.
   *
   * Of a `MetricsCollector` alone, the default is false.
   * @default as `enabled`
   */
  processMetrics: option(kinds.flag),
  /** Label of `decern_build_info`, such as a commit. @default none */
  build: option(text),
  /** `{ error(details, message) }`, called once per metric that reaches `maxSeries`. @default standard error */
  logger: option(kinds.withMethods<Logger>("error")),
};

export const metricsRows = {
  ...collectorRows,
  /** Records evaluations and serves the page. @default false */
  enabled: option(kinds.flag, false),
  /** Path of the page. @default "/metrics" */
  endpoint: option<string>(endpointKind, "/metrics"),
};

/** Options of `MetricsCollector`. */
export interface MetricsCollectorOptions extends OptionsOf<typeof collectorRows> {}

/** Options of `metrics`. */
export interface MetricsOptions extends OptionsOf<typeof metricsRows> {}
