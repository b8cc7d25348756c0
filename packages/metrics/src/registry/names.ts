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

/** Counts records of decision logs by `outcome`. */
export const METRIC_LOG_RECORDS_TOTAL = "engine_log_records_total";

/** Counts HTTP replies of the standalone server by `method`, `route` and `status`. */
export const METRIC_HTTP_REPLIES_TOTAL = "engine_http_replies_total";

/** Counts inputs that workers evaluated, by `decision_id` and `status`. */
export const METRIC_BULK_ITEMS_TOTAL = "engine_bulk_items_total";

/** Histogram of batches of workers in seconds, from the first evaluation to the end of the commit, by `decision_id`. */
export const METRIC_BULK_BATCH_DURATION_SECONDS = "engine_bulk_batch_duration_seconds";

/** Counts takes and commits of workers that failed, by `decision_id`. */
export const METRIC_BULK_FAILURES_TOTAL = "engine_bulk_failures_total";

/** What waits in a worker's source, by `decision_id`. */
export const METRIC_BULK_BACKLOG_ITEMS = "engine_bulk_backlog_items";

/** What a worker's source gave up, by `decision_id`. */
export const METRIC_BULK_DEAD_ITEMS = "engine_bulk_dead_items";

/** How long the oldest input has waited, in seconds, by `decision_id`. */
export const METRIC_BULK_OLDEST_SECONDS = "engine_bulk_oldest_seconds";

/** The label of {@link METRIC_EVALUATIONS_TOTAL} that hosts must ask for. */
export const versionLabelName = "decision_version";

/** The metrics that the observer records, in page order. */
export const builtInMetrics = {
  evaluations: {
    name: METRIC_EVALUATIONS_TOTAL,
    kind: "counter",
    help: "Evaluations that ended, by decision and status.",
    labelNames: ["decision_id", "status"],
  },
  duration: {
    name: METRIC_EVALUATION_DURATION_SECONDS,
    kind: "histogram",
    help: "Duration of evaluations in seconds, by decision.",
    labelNames: ["decision_id"],
  },
  ruleMatches: {
    name: METRIC_RULE_MATCHES_TOTAL,
    kind: "counter",
    help: "Evaluations that a rule decided, by decision and rule.",
    labelNames: ["decision_id", "rule_id"],
  },
} as const;

/** The metrics of what most hosts do not do. They are on the page once there is something to count. */
export const optionalMetrics = {
  used: {
    name: METRIC_USED_EVALUATIONS_TOTAL,
    help: "Evaluations of decisions that other decisions used, by decision and status.",
  },
  shadow: {
    name: METRIC_SHADOW_EVALUATIONS_TOTAL,
    help: "Shadow evaluations after a reply, by decision, candidate and outcome.",
  },
  profileLoads: {
    name: METRIC_PROFILE_LOADS_TOTAL,
    help: "Loads of watched profiles, by outcome.",
  },
  httpReplies: {
    name: METRIC_HTTP_REPLIES_TOTAL,
    help: "HTTP replies, by method, route and status.",
  },
  logRecords: {
    name: METRIC_LOG_RECORDS_TOTAL,
    help: "Records of decision logs, by outcome.",
  },
} as const;

/** The metrics of workers. They are on the page of a worker. */
export const bulkMetrics = {
  items: {
    name: METRIC_BULK_ITEMS_TOTAL,
    kind: "counter",
    help: "Inputs that workers evaluated, by decision and status.",
  },
  batchDuration: {
    name: METRIC_BULK_BATCH_DURATION_SECONDS,
    kind: "histogram",
    help: "Duration of batches of workers in seconds, evaluation and commit, by decision.",
  },
  failures: {
    name: METRIC_BULK_FAILURES_TOTAL,
    kind: "counter",
    help: "Takes and commits of workers that failed, by decision.",
  },
  backlog: {
    name: METRIC_BULK_BACKLOG_ITEMS,
    kind: "gauge",
    help: "What waits in the source of a worker, by decision.",
  },
  dead: {
    name: METRIC_BULK_DEAD_ITEMS,
    kind: "gauge",
    help: "What the source of a worker gave up, by decision.",
  },
  oldest: {
    name: METRIC_BULK_OLDEST_SECONDS,
    kind: "gauge",
    help: "How long the oldest input in the source of a worker has waited in seconds, by decision.",
  },
} as const;

/** The metrics of the process, measured for each page. */
export const processMetrics = {
  cpu: {
    name: "process_cpu_seconds_total",
    kind: "counter",
    help: "CPU time of the process in seconds, user and system.",
  },
  memory: {
    name: "process_resident_memory_bytes",
    kind: "gauge",
    help: "Resident memory of the process in bytes.",
  },
  start: {
    name: "process_start_time_seconds",
    kind: "gauge",
    help: "When the process started, in seconds since the Unix epoch.",
  },
  lagMedian: {
    name: "nodejs_eventloop_lag_p50_seconds",
    kind: "gauge",
    help: "Median delay of the event loop since the last page, in seconds.",
  },
  lagHigh: {
    name: "nodejs_eventloop_lag_p99_seconds",
    kind: "gauge",
    help: "Delay of the event loop since the last page in seconds, 99th percentile.",
  },
  lagMax: {
    name: "nodejs_eventloop_lag_max_seconds",
    kind: "gauge",
    help: "Longest delay of the event loop since the last page, in seconds.",
  },
  build: {
    name: "decern_build_info",
    kind: "gauge",
    help: "Always 1. The labels name the versions of this package and of Node, and the build of the host.",
  },
} as const;

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

type MetricKind = "counter" | "gauge" | "histogram";

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Endings of the samples of histograms, summaries and info metrics, in one format or the other. */
const reservedSuffix = /_(?:bucket|count|sum|created|gcount|gsum|info)$/;

/** Refuses metric names that Prometheus does not accept or keeps for other kinds of metric. */
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

/** Refuses label names that Prometheus does not accept or reserves. */
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
