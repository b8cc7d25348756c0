import { refusal } from "./refuse.js";

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Refuses what Prometheus does not take for the name of a metric. */
export function checkMetricName(name: string): void {
  if (typeof name === "string" && metricName.test(name)) return;
  throw refusal(
    `metric name ${JSON.stringify(name)} has to be letters, digits, _ and :, and begin with no digit`,
  );
}

/** Refuses label names that Prometheus does not take, or keeps for itself. */
export function checkLabelName(metric: string, kind: "counter" | "histogram", name: string): void {
  const label = `label name ${JSON.stringify(name)} of metric "${metric}"`;
  if (!labelName.test(name)) {
    throw refusal(`${label} has to be letters, digits and _, and begin with no digit`);
  }
  if (name.startsWith("__")) throw refusal(`${label} begins with __, which Prometheus keeps for itself`);
  if (kind === "histogram" && name === "le")
    throw refusal(`${label} is the histogram's own, for its buckets`);
}

const surrogate = /[\uD800-\uDFFF]/;
const loneSurrogates = /\p{Surrogate}/gu;

/** Replaces what UTF-8 cannot carry, as an encoder would do later: two series must not become one on the way out. */
export function toWellFormed(value: string): string {
  return surrogate.test(value) ? value.replaceAll(loneSurrogates, "\uFFFD") : value;
}
