export { MetricsCollector, metrics } from "./metrics.js";
export type { MetricsCollectorOptions, MetricsOptions } from "./options.js";
export {
  METRIC_BULK_BACKLOG_ITEMS,
  METRIC_BULK_BATCH_DURATION_SECONDS,
  METRIC_BULK_DEAD_ITEMS,
  METRIC_BULK_FAILURES_TOTAL,
  METRIC_BULK_ITEMS_TOTAL,
  METRIC_BULK_OLDEST_SECONDS,
  METRIC_EVALUATION_DURATION_SECONDS,
  METRIC_EVALUATIONS_TOTAL,
  METRIC_HTTP_REPLIES_TOTAL,
  METRIC_LOG_RECORDS_TOTAL,
  METRIC_PROFILE_LOADS_TOTAL,
  METRIC_RULE_MATCHES_TOTAL,
  METRIC_SHADOW_EVALUATIONS_TOTAL,
  METRIC_USED_EVALUATIONS_TOTAL,
  OVERFLOW_LABEL_VALUE,
} from "./registry/names.js";
export { type WorkerMetrics, type WorkerMetricsOptions, workerMetrics } from "./worker-metrics.js";
