import type { Logger, MetricLabels } from "@decern/core";
import { type Family, type FamilyOf, Histogram, namesTakenBy, type SeriesOf } from "./family.js";
import {
  checkMetricName,
  evaluationMetrics,
  hostMetricHelp,
  type MetricKind,
  refusal,
  standardMetrics,
} from "./names.js";
import { SeriesTable } from "./series-table.js";

export interface RegistryOptions {
  readonly buckets: readonly number[];
  readonly maxSeries: number;
  readonly logger: Logger;
}

const always: ReadonlySet<string> = new Set(Object.values(evaluationMetrics).map(({ name }) => name));

const optional: ReadonlySet<string> = new Set(
  standardMetrics.flatMap(({ name }) => (always.has(name) ? [] : [name])),
);

/** All metrics of a collector by name. The first use of a metric creates it. */
export class Registry {
  readonly buckets: readonly number[];
  readonly #options: RegistryOptions;
  readonly #families: { readonly [Kind in MetricKind]: Map<string, FamilyOf<Kind>> } = {
    counter: new Map(),
    gauge: new Map(),
    histogram: new Map(),
  };
  readonly #newSeries: { readonly [Kind in MetricKind]: (labels: string) => SeriesOf[Kind] } = {
    counter: (labels) => ({ labels, value: 0 }),
    gauge: (labels) => ({ labels, value: undefined }),
    histogram: (labels) => new Histogram(labels, this.buckets),
  };
  /** The kind of each metric, in page order. */
  readonly #kinds = new Map<string, MetricKind>();
  /** Names in use, with the metric that uses them. */
  readonly #taken = new Map<string, string>();
  readonly #reported = new Set<string>();
  #reportedDuration = false;
  #generation = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.buckets = options.buckets;
    this.#addStandard();
  }

  /** Changes when {@link reset} drops all series. Code that keeps series must then look them up again. */
  get generation(): number {
    return this.#generation;
  }

  /** The metrics of the page: the standard ones of what most hosts don't do only once they have a series. */
  families(): Iterable<Family> {
    return [...this.#kinds].flatMap(([name, kind]) => {
      const family = this.#families[kind].get(name);
      return family === undefined || (optional.has(name) && family.series.size === 0) ? [] : [family];
    });
  }

  series<Kind extends MetricKind>(kind: Kind, name: string, labels: MetricLabels): SeriesOf[Kind] {
    const family = this.find(kind, name);
    if (family !== undefined) return family.series.resolve(labels);
    checkMetricName(kind, name);
    const added = this.#create(kind, name, hostMetricHelp[kind]);
    const series = added.series.resolve(labels);
    // Only now that the first series was accepted, so a rejected call leaves nothing behind.
    this.#add(added);
    return series;
  }

  /** @throws DecernError `INVALID_OPTIONS` if the metric is of another kind */
  find<Kind extends MetricKind>(kind: Kind, name: string): FamilyOf<Kind> | undefined {
    const family = this.#families[kind].get(name);
    const other = family === undefined ? this.#kinds.get(name) : undefined;
    if (other === undefined) return family;
    throw refusal(`metric "${name}" is a ${other} and cannot be used as a ${kind}`);
  }

  /** Whether a counter may take more series that count nothing yet: they leave half of the limit to those that do. */
  hasRoomForZeros(name: string): boolean {
    const size = this.find("counter", name)?.series.size ?? 0;
    return size + 1 <= this.#options.maxSeries / 2;
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
    for (const map of [...Object.values(this.#families), this.#kinds, this.#taken]) map.clear();
    this.#addStandard();
  }

  /** Takes the names of all standard metrics, so that no metric of the host is in their way. */
  #addStandard(): void {
    for (const { kind, name, help } of standardMetrics) this.#add(this.#create(kind, name, help));
  }

  #create<Kind extends MetricKind>(kind: Kind, name: string, help: string): FamilyOf<Kind> {
    for (const taken of namesTakenBy(kind, name)) {
      const owner = this.#taken.get(taken);
      if (owner === undefined) continue;
      throw refusal(`${kind} "${name}" conflicts with "${owner}": both need the name "${taken}"`);
    }
    const { maxSeries, logger } = this.#options;
    const onOverflow = (metric: string): void => {
      if (this.#reported.has(metric)) return;
      this.#reported.add(metric);
      logger.error(
        { metric, maxSeries },
        "A metric has too many series. Further series are counted together",
      );
    };
    const series = new SeriesTable({ metric: name, maxSeries, create: this.#newSeries[kind], onOverflow });
    return { kind, name, help, series };
  }

  #add<Kind extends MetricKind>(family: FamilyOf<Kind>): void {
    const { kind, name } = family;
    for (const taken of namesTakenBy(kind, name)) this.#taken.set(taken, name);
    this.#kinds.set(name, kind);
    this.#families[kind].set(name, family);
  }
}
