import { DecernError } from "@decern/core";

/** Counts evaluations by `decision_id` and `status`. */
export const METRIC_EVALUATIONS_TOTAL = "engine_evaluations_total";

/** Histogram of evaluation durations in seconds, by `decision_id`. */
export const METRIC_EVALUATION_DURATION_SECONDS = "engine_evaluation_duration_seconds";

/** Counts matches by `decision_id` and `rule_id`. */
export const METRIC_RULE_MATCHES_TOTAL = "engine_rule_matches_total";

/** Counts decisions that other decisions used, by `decision_id` and `status`. */
export const METRIC_USED_EVALUATIONS_TOTAL = "engine_used_evaluations_total";

/** Counts shadow evaluations by `decision_id`, `shadow_id`, `shadow_version` and `outcome`. */
export const METRIC_SHADOW_EVALUATIONS_TOTAL = "engine_shadow_evaluations_total";

/** Counts loads of watched profiles by `outcome`. */
export const METRIC_PROFILE_LOADS_TOTAL = "engine_profile_loads_total";

/** Counts loads of watched decisions by `outcome`. */
export const METRIC_DECISION_LOADS_TOTAL = "engine_decision_loads_total";

/** Whether the last load of `part`, `decisions` or `profiles`, failed: 1 or 0. */
export const METRIC_LOAD_FAILING = "engine_load_failing";

/** Whether a valid set of `part` is not used, because it changes too many results: 1 or 0. */
export const METRIC_SET_HELD = "engine_set_held";

/** Since when the watched set of `part` is in use, in seconds since the Unix epoch, by its `revision`. */
export const METRIC_SET_SINCE_SECONDS = "engine_set_since_seconds";

/** Counts records of decision logs by `outcome`. */
export const METRIC_LOG_RECORDS_TOTAL = "engine_log_records_total";

/** Counts HTTP replies of the standalone server by `method`, `route` and `status`. */
export const METRIC_HTTP_REPLIES_TOTAL = "engine_http_replies_total";

/** Histogram of HTTP replies of the standalone server in seconds, from the request's headers to the end of the reply, by `method` and `route`. */
export const METRIC_HTTP_DURATION_SECONDS = "engine_http_duration_seconds";

/** Counts inputs that workers evaluated, by `decision_id` and `status`. */
export const METRIC_BULK_ITEMS_TOTAL = "engine_bulk_items_total";

/** Histogram of batches of workers in seconds, from the first evaluation to the end of the commit, by `decision_id`. */
export const METRIC_BULK_BATCH_DURATION_SECONDS = "engine_bulk_batch_duration_seconds";

/** Counts takes and commits of workers that failed, by `decision_id`. */
export const METRIC_BULK_FAILURES_TOTAL = "engine_bulk_failures_total";

/** Inputs that wait in a worker's source, by `decision_id`. */
export const METRIC_BULK_BACKLOG_ITEMS = "engine_bulk_backlog_items";

/** Inputs that a worker's source gave up, by `decision_id`. */
export const METRIC_BULK_DEAD_ITEMS = "engine_bulk_dead_items";

/** How long the oldest input has waited, in seconds, by `decision_id`. */
export const METRIC_BULK_OLDEST_SECONDS = "engine_bulk_oldest_seconds";

/** The label of {@link METRIC_EVALUATIONS_TOTAL} that the option `versionLabel` adds. */
export const versionLabelName = "decision_version";

export type MetricKind = "counter" | "gauge" | "histogram";

interface StandardMetric {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
}

const metric =
  <Kind extends MetricKind>(kind: Kind) =>
  (name: string, help: string) =>
    ({ kind, name, help }) satisfies StandardMetric;

const counter = metric("counter");
const gauge = metric("gauge");
const histogram = metric("histogram");

/** The metrics of every evaluation. They are on each page. */
export const evaluationMetrics = {
  evaluations: counter(METRIC_EVALUATIONS_TOTAL, "Evaluations that ended, by decision and status."),
  duration: histogram(METRIC_EVALUATION_DURATION_SECONDS, "Duration of evaluations in seconds, by decision."),
  ruleMatches: counter(METRIC_RULE_MATCHES_TOTAL, "Evaluations that a rule decided, by decision and rule."),
};

export const bulkMetrics = {
  items: counter(METRIC_BULK_ITEMS_TOTAL, "Inputs that workers evaluated, by decision and status."),
  batchDuration: histogram(
    METRIC_BULK_BATCH_DURATION_SECONDS,
    "Duration of batches of workers in seconds, evaluation and commit, by decision.",
  ),
  failures: counter(METRIC_BULK_FAILURES_TOTAL, "Takes and commits of workers that failed, by decision."),
  backlog: gauge(METRIC_BULK_BACKLOG_ITEMS, "Inputs that wait in the source of a worker, by decision."),
  dead: gauge(METRIC_BULK_DEAD_ITEMS, "Inputs that the source of a worker gave up, by decision."),
  oldest: gauge(
    METRIC_BULK_OLDEST_SECONDS,
    "How long the oldest input in the source of a worker has waited in seconds, by decision.",
  ),
};

/** The metrics of the process, measured for each page. */
export const processMetrics = {
  cpu: counter("process_cpu_seconds_total", "CPU time of the process in seconds, user and system."),
  memory: gauge("process_resident_memory_bytes", "Resident memory of the process in bytes."),
  start: gauge("process_start_time_seconds", "When the process started, in seconds since the Unix epoch."),
  lagMedian: gauge(
    "nodejs_eventloop_lag_p50_seconds",
    "Median delay of the event loop since the last page, in seconds.",
  ),
  lagHigh: gauge(
    "nodejs_eventloop_lag_p99_seconds",
    "Delay of the event loop since the last page in seconds, 99th percentile.",
  ),
  lagMax: gauge(
    "nodejs_eventloop_lag_max_seconds",
    "Longest delay of the event loop since the last page, in seconds.",
  ),
  build: gauge(
    "decern_build_info",
    "Always 1. The labels name the versions of this package and of Node, and the build of the host.",
  ),
};

/** The metrics of what most hosts don't do. */
export const optionalMetrics = {
  used: counter(
    METRIC_USED_EVALUATIONS_TOTAL,
    "Evaluations of decisions that other decisions used, by decision and status.",
  ),
  shadow: counter(
    METRIC_SHADOW_EVALUATIONS_TOTAL,
    "Shadow evaluations after a reply, by decision, candidate and outcome.",
  ),
  profileLoads: counter(METRIC_PROFILE_LOADS_TOTAL, "Loads of watched profiles, by outcome."),
  decisionLoads: counter(METRIC_DECISION_LOADS_TOTAL, "Loads of watched decisions, by outcome."),
  loadFailing: gauge(
    METRIC_LOAD_FAILING,
    "1 if the last load of watched decisions or profiles failed, else 0.",
  ),
  setHeld: gauge(
    METRIC_SET_HELD,
    "1 if a valid set of decisions is held because it changes too many results of records, else 0.",
  ),
  setSince: gauge(
    METRIC_SET_SINCE_SECONDS,
    "Since when watched decisions or profiles are in use, in seconds since the Unix epoch.",
  ),
  httpReplies: counter(METRIC_HTTP_REPLIES_TOTAL, "HTTP replies, by method, route and status."),
  httpDuration: histogram(
    METRIC_HTTP_DURATION_SECONDS,
    "Time from a request to the end of its reply in seconds, by method and route.",
  ),
  logRecords: counter(METRIC_LOG_RECORDS_TOTAL, "Records of decision logs, by outcome."),
};

/** Every metric that this package records, in page order. */
export const standardMetrics: readonly StandardMetric[] = [
  evaluationMetrics,
  bulkMetrics,
  processMetrics,
  optionalMetrics,
].flatMap((metrics) => Object.values<StandardMetric>(metrics));

/** Help texts of metrics that the host records itself. The format requires one. */
export const hostMetricHelp = {
  counter: "Counter of the host application.",
  gauge: "Gauge of the host application.",
  histogram: "Histogram of the host application.",
} as const;

/** The value of every label of the overflow series. */
export const OVERFLOW_LABEL_VALUE = "__overflow__";

/** The error for an invalid call or option. `detail` names it and says what is valid. */
export function refusal(detail: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail });
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Endings of the samples of histograms, summaries and info metrics, in one format or the other. */
const reservedSuffix = /_(?:bucket|count|sum|created|gcount|gsum|info)$/;

/** Rejects metric names that Prometheus does not accept or keeps for other kinds of metric. */
export function checkMetricName(kind: MetricKind, name: string): void {
  const metric = `metric name ${JSON.stringify(name)}`;
  if (typeof name !== "string" || !metricName.test(name)) {
    throw refusal(`${metric} must consist of letters, digits, _ and :, and must not start with a digit`);
  }
  const [suffix] = reservedSuffix.exec(name) ?? [];
  if (suffix !== undefined) throw refusal(`${metric} must not end in ${suffix}, which Prometheus reserves`);
  if (kind !== "counter" && name.endsWith("_total")) {
    throw refusal(`${metric} must not end in _total, which is for counters: it is a ${kind}`);
  }
}

/** Rejects label names that Prometheus does not accept or reserves. */
export function checkLabelName(metric: string, name: string): void {
  const label = `label name ${JSON.stringify(name)} of metric "${metric}"`;
  if (!labelName.test(name)) {
    throw refusal(`${label} must consist of letters, digits and _, and must not start with a digit`);
  }
  if (name.startsWith("__")) throw refusal(`${label} must not start with __, which Prometheus reserves`);
  if (name === "le" || name === "quantile") {
    throw refusal(`${label} is reserved for the buckets of histograms and the quantiles of summaries`);
  }
}

const surrogate = /[\uD800-\uDFFF]/;

const loneSurrogates = /\p{Surrogate}/gu;

/** Replaces characters that UTF-8 cannot encode. An encoder would do so later, and two series could then become one. */
export function toWellFormed(value: string): string {
  return surrogate.test(value) ? value.replaceAll(loneSurrogates, "\uFFFD") : value;
}
