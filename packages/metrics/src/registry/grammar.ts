import { refusal } from "../refuse.js";

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Refuses metric names that Prometheus does not accept. */
export function checkMetricName(name: string): void {
  if (typeof name === "string" && metricName.test(name)) return;
  throw refusal(
    `metric name ${JSON.stringify(name)} must consist of letters, digits, _ and :, and must not start with a digit`,
  );
}

/** Refuses label names that Prometheus does not accept or reserves. */
export function checkLabelName(metric: string, kind: "counter" | "gauge" | "histogram", name: string): void {
  const label = `label name ${JSON.stringify(name)} of metric "${metric}"`;
  if (!labelName.test(name)) {
    throw refusal(`${label} must consist of letters, digits and _, and must not start with a digit`);
  }
  if (name.startsWith("__")) throw refusal(`${label} must not start with __, which Prometheus reserves`);
  if (kind === "histogram" && name === "le")
    throw refusal(`${label} is reserved for the buckets of a histogram`);
}

const surrogate = /[\uD800-\uDFFF]/;
const loneSurrogates = /\p{Surrogate}/gu;

/** Replaces characters that UTF-8 cannot encode. An encoder would do so later, and two series could then become one. */
export function toWellFormed(value: string): string {
  return surrogate.test(value) ? value.replaceAll(loneSurrogates, "\uFFFD") : value;
}
