import { refusal } from "../refuse.js";

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
