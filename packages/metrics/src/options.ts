import { checkOptions, DecernError, type Logger, type Problem } from "@decern/core";

/** What a collector keeps, and how much of it. */
export interface MetricsCollectorOptions {
  /**
   * Bucket bounds of every histogram, ascending and finite; for durations, in seconds.
   * @default from 10 microseconds to 10 seconds in 16 steps
   */
  readonly buckets?: readonly number[] | undefined;
  /** Series that a metric may have; what comes later is counted in one more. @default 10000 */
  readonly maxSeries?: number | undefined;
  /** Told once for each metric that has met `maxSeries`. @default writes to standard error */
  readonly logger?: Logger | undefined;
}

/** Metrics as a host is given them. */
export interface MetricsOptions extends MetricsCollectorOptions {
  /** Whether evaluations are recorded, and the page served. @default false */
  readonly enabled?: boolean | undefined;
  /** Path of the page. @default "/metrics" */
  readonly endpoint?: string | undefined;
}

const collectorOptions = ["buckets", "maxSeries", "logger"];

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkCollectorOptions(options: MetricsCollectorOptions): void {
  checkOptions("new MetricsCollector", options, { known: collectorOptions });
  throwAll("new MetricsCollector", collectorProblems(options));
}

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkMetricsOptions(options: MetricsOptions): void {
  checkOptions("metrics", options, { known: ["enabled", "endpoint", ...collectorOptions] });
  const problems = collectorProblems(options);
  const { enabled, endpoint } = options;
  if (enabled !== undefined && typeof enabled !== "boolean") {
    problems.push({ path: "/enabled", message: "has to be true or false" });
  }
  if (endpoint !== undefined && !isAbsolutePath(endpoint)) {
    const message = "has to be an absolute path of A-Z a-z 0-9 . _ ~ - such as /metrics";
    problems.push({ path: "/endpoint", message });
  }
  throwAll("metrics", problems);
}

function collectorProblems({ buckets, maxSeries, logger }: MetricsCollectorOptions): Problem[] {
  const problems: Problem[] = [];
  if (buckets !== undefined) problems.push(...bucketProblems(buckets));
  if (maxSeries !== undefined && !(Number.isSafeInteger(maxSeries) && maxSeries > 0)) {
    problems.push({ path: "/maxSeries", message: "has to be a whole number above 0" });
  }
  if (logger !== undefined && typeof logger?.error !== "function") {
    problems.push({ path: "/logger", message: "has to have a function error(details, message)" });
  }
  return problems;
}

function bucketProblems(buckets: readonly number[]): readonly Problem[] {
  if (!Array.isArray(buckets) || buckets.length === 0) {
    return [{ path: "/buckets", message: "has to be a list of at least one number" }];
  }
  return buckets.flatMap((bound, index) => {
    const path = `/buckets/${index}`;
    if (!Number.isFinite(bound)) return [{ path, message: "has to be a finite number; +Inf is added" }];
    const previous = buckets[index - 1];
    return previous !== undefined && bound <= previous
      ? [{ path, message: "has to be above the bound before it" }]
      : [];
  });
}

/** A path that a router takes for itself, not for a pattern. */
function isAbsolutePath(endpoint: string): boolean {
  return typeof endpoint === "string" && /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/.test(endpoint);
}

function throwAll(detail: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail, problems });
}
