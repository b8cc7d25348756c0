import type { EvaluationEvent } from "@decern/core";
import { type MetricKind, toWellFormed } from "./names.js";
import type { SeriesTable } from "./series-table.js";

/** One value of a bucket, and where to find more about it. */
export interface Exemplar {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
  /** When it was measured, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** OpenMetrics allows 128 characters for names and values together: these are left for the request's id. */
const longestRequestId = 128 - "request_id".length - "trace_id".length - 32;

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-/;

/** The request of an evaluation, and the trace that its caller named. */
export function exemplarOf({ context, durationSeconds }: EvaluationEvent): Exemplar | undefined {
  const { requestId, request, timestamp } = context;
  const labels: [name: string, value: string][] = [];
  if (requestId.length <= longestRequestId) labels.push(["request_id", toWellFormed(requestId)]);
  const header = request?.headers["traceparent"];
  const [, trace] = traceparent.exec(typeof header === "string" ? header : "") ?? [];
  if (trace !== undefined) labels.push(["trace_id", trace]);
  return labels.length === 0 ? undefined : { labels, value: durationSeconds, at: timestamp.getTime() };
}

/** One series of a histogram. Its buckets are not cumulative; reading adds them up. */
export class Histogram {
  /** As {@link labelText} writes them. */
  readonly labels: string;
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  readonly #exemplars: (Exemplar | undefined)[] = [];
  #sum = 0;

  /** @param bounds - ascending and finite */
  constructor(labels: string, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#buckets = new Array<number>(bounds.length + 1).fill(0);
  }

  /**
   * @param value - finite
   * @param exemplar - becomes that of the value's bucket
   */
  observe(value: number, exemplar?: Exemplar): void {
    const index = bucketOf(this.#bounds, value);
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#sum += value;
    if (exemplar !== undefined) this.#exemplars[index] = exemplar;
  }

  /** The latest exemplar of each bucket, if it has one. */
  get exemplars(): readonly (Exemplar | undefined)[] {
    return this.#exemplars;
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#buckets.reduce((total, count) => total + count, 0);
  }

  /** How many values were at most each bound; the last entry is the count of all. */
  cumulative(): readonly number[] {
    let total = 0;
    return this.#buckets.map((count) => {
      total += count;
      return total;
    });
  }
}

/** Index of the first bound that is not below `value`. A bound is part of its own bucket. */
function bucketOf(bounds: readonly number[], value: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value <= (bounds[middle] ?? Number.POSITIVE_INFINITY)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface Counter {
  /** The labels as text, without braces. */
  readonly labels: string;
  value: number;
}

interface Gauge {
  /** The labels as text, without braces. */
  readonly labels: string;
  /** `undefined` while it is not known: the page then leaves it out. */
  value: number | undefined;
}

export interface SeriesOf {
  readonly counter: Counter;
  readonly gauge: Gauge;
  readonly histogram: Histogram;
}

/** A metric of one kind, with all of its series. */
export interface FamilyOf<Kind extends MetricKind> {
  readonly kind: Kind;
  readonly name: string;
  readonly help: string;
  readonly series: SeriesTable<SeriesOf[Kind]>;
}

export type Family = { [Kind in MetricKind]: FamilyOf<Kind> }[MetricKind];

/** Name of a metric in OpenMetrics, where `_total` belongs to a counter's samples, and `_info` to those of an info metric. */
export function openMetricsName({ kind, name }: Pick<Family, "kind" | "name">): string {
  if (isInfo(kind, name)) return name.slice(0, -infoSuffix.length);
  return isOpenMetricsCounter(kind, name) ? name.slice(0, -totalSuffix.length) : name;
}

/**
 * Type of a metric in OpenMetrics. OpenMetrics requires `_total` on counters. A counter without it has type `unknown`, so it
 * keeps the name it has in the other format.
 */
export function openMetricsType({ kind, name }: Pick<Family, "kind" | "name">): string {
  if (isInfo(kind, name)) return "info";
  return kind !== "counter" || isOpenMetricsCounter(kind, name) ? kind : "unknown";
}

/** Every name that a metric uses in either format. Metrics must not share any of them. */
export function namesTakenBy(kind: MetricKind, name: string): readonly string[] {
  const family = openMetricsName({ kind, name });
  if (kind === "histogram")
    return ["", "_bucket", "_sum", "_count", "_created"].map((suffix) => name + suffix);
  return family === name ? [name] : [family, name, `${family}_created`];
}

const totalSuffix = "_total";

const infoSuffix = "_info";

/** The text format has no info metrics, only gauges. Hosts cannot create any. */
function isInfo(kind: MetricKind, name: string): boolean {
  return kind === "gauge" && name.endsWith(infoSuffix);
}

function isOpenMetricsCounter(kind: MetricKind, name: string): boolean {
  return kind === "counter" && name.endsWith(totalSuffix) && name !== totalSuffix;
}
