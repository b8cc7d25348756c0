import type { Logger, MetricLabels } from "@decern/core";
import type { Histogram } from "./family.js";
import {
  type Counter,
  type CounterFamily,
  createCounterFamily,
  createGaugeFamily,
  createHistogramFamily,
  type Family,
  type Gauge,
  type GaugeFamily,
  type HistogramFamily,
  namesTakenBy,
} from "./family.js";
import {
  builtInMetrics,
  bulkMetrics,
  checkMetricName,
  hostMetricHelp,
  optionalMetrics,
  processMetrics,
  refusal,
} from "./names.js";

export interface RegistryOptions {
  readonly buckets: readonly number[];
  readonly maxSeries: number;
  readonly logger: Logger;
}

const optional: ReadonlySet<string> = new Set(
  [optionalMetrics, bulkMetrics, processMetrics].flatMap((metrics) =>
    Object.values(metrics).map(({ name }) => name),
  ),
);

/** All metrics of a collector by name. The first use of a metric creates it. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #families = new Map<string, Family>();
  /** Names in use, with the metric that uses them. */
  readonly #taken = new Map<string, string>();
  readonly #reported = new Set<string>();
  #reportedDuration = false;
  #generation = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#addBuiltIn();
  }

  /** Changes when {@link reset} drops all series. Code that keeps series must then look them up again. */
  get generation(): number {
    return this.#generation;
  }

  /** Those that belong on the page. */
  families(): Iterable<Family> {
    return [...this.#families.values()].filter(({ name, series }) => !optional.has(name) || series.size > 0);
  }

  /** Finds a series of a counter, or creates it. */
  counter(name: string, labels: MetricLabels): Counter {
    const family = this.findCounter(name);
    if (family !== undefined) return family.series.resolve(labels);
    checkMetricName("counter", name);
    const added = this.#newCounter(name, hostMetricHelp.counter);
    const series = added.series.resolve(labels);
    this.#add(added);
    return series;
  }

  /** Finds a series of a gauge, or creates it. */
  gauge(name: string, labels: MetricLabels): Gauge {
    const family = this.findGauge(name);
    if (family !== undefined) return family.series.resolve(labels);
    checkMetricName("gauge", name);
    const added = this.#newGauge(name, hostMetricHelp.gauge);
    const series = added.series.resolve(labels);
    this.#add(added);
    return series;
  }

  /** Finds a series of a histogram, or creates it. */
  histogram(name: string, labels: MetricLabels): Histogram {
    const family = this.findHistogram(name);
    if (family !== undefined) return family.series.resolve(labels);
    checkMetricName("histogram", name);
    const added = this.#newHistogram(name, hostMetricHelp.histogram);
    const series = added.series.resolve(labels);
    this.#add(added);
    return series;
  }

  /** Whether a counter may take more series that count nothing yet: they leave half of the limit to those that do. */
  hasRoomForZeros(name: string): boolean {
    const size = this.findCounter(name)?.series.size ?? 0;
    return size + 1 <= this.#options.maxSeries / 2;
  }

  findCounter(name: string): CounterFamily | undefined {
    const family = this.#families.get(name);
    if (family === undefined || family.kind === "counter") return family;
    throw wrongKind(family, "counter");
  }

  findGauge(name: string): GaugeFamily | undefined {
    const family = this.#families.get(name);
    if (family === undefined || family.kind === "gauge") return family;
    throw wrongKind(family, "gauge");
  }

  findHistogram(name: string): HistogramFamily | undefined {
    const family = this.#families.get(name);
    if (family === undefined || family.kind === "histogram") return family;
    throw wrongKind(family, "histogram");
  }

  /** Logs once that an evaluation has no valid duration. */
  reportDuration(durationSeconds: number): void {
    if (this.#reportedDuration) return;
    this.#reportedDuration = true;
    this.#options.logger.error(
      { durationSeconds },
      "An evaluation has an invalid duration. It is counted but left out of the histogram. Check the clock",
    );
  }

  reset(): void {
    this.#generation += 1;
    this.#families.clear();
    this.#taken.clear();
    this.#addBuiltIn();
  }

  /**
   * Puts the built-in metrics on the page from the start, so an empty page already documents them. The names of the optional
   * ones are taken as well, so that no metric of the host is in their way.
   */
  #addBuiltIn(): void {
    const builtIn = [builtInMetrics, bulkMetrics, processMetrics].flatMap((metrics) =>
      Object.values(metrics),
    );
    for (const { kind, name, help } of builtIn) {
      if (kind === "counter") this.#add(this.#newCounter(name, help));
      else if (kind === "gauge") this.#add(this.#newGauge(name, help));
      else this.#add(this.#newHistogram(name, help));
    }
    for (const { name, help } of Object.values(optionalMetrics)) this.#add(this.#newCounter(name, help));
  }

  #newCounter(name: string, help: string): CounterFamily {
    this.#checkConflicts("counter", name);
    return createCounterFamily(name, help, this.#limit());
  }

  #newGauge(name: string, help: string): GaugeFamily {
    this.#checkConflicts("gauge", name);
    return createGaugeFamily(name, help, this.#limit());
  }

  #newHistogram(name: string, help: string): HistogramFamily {
    this.#checkConflicts("histogram", name);
    return createHistogramFamily(name, help, this.#options.buckets, this.#limit());
  }

  #checkConflicts(kind: Family["kind"], name: string): void {
    for (const taken of namesTakenBy(kind, name)) {
      const owner = this.#taken.get(taken);
      if (owner === undefined) continue;
      throw refusal(`${kind} "${name}" conflicts with "${owner}": both need the name "${taken}"`);
    }
  }

  /** Called after the first series was accepted, so a refused call leaves nothing behind. */
  #add(family: Family): void {
    const { kind, name } = family;
    for (const taken of namesTakenBy(kind, name)) this.#taken.set(taken, name);
    this.#families.set(name, family);
  }

  #limit() {
    const { maxSeries, logger } = this.#options;
    const onOverflow = (metric: string): void => {
      if (this.#reported.has(metric)) return;
      this.#reported.add(metric);
      logger.error(
        { metric, maxSeries },
        "A metric has too many series. Further series are counted together",
      );
    };
    return { maxSeries, onOverflow };
  }
}

function wrongKind({ name, kind }: Family, wanted: Family["kind"]) {
  return refusal(`metric "${name}" is a ${kind} and cannot be used as a ${wanted}`);
}
