import type { Logger } from "@decern/core";
import {
  type CounterFamily,
  createCounterFamily,
  createHistogramFamily,
  type Family,
  type HistogramFamily,
  namesTakenBy,
} from "./family.js";
import { checkMetricName } from "./grammar.js";
import { builtInMetrics, hostMetricHelp } from "./names.js";
import { refusal } from "./refuse.js";

export interface RegistryOptions {
  readonly buckets: readonly number[];
  readonly maxSeries: number;
  readonly logger: Logger;
}

/** All metrics of a collector by name. A metric comes into being when it is first used. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #families = new Map<string, Family>();
  /** Names taken, with the metric that has them. */
  readonly #taken = new Map<string, string>();
  readonly #reported = new Set<string>();
  #generation = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#addBuiltIn();
  }

  /** Changes when {@link reset} lets go of every series: whoever keeps some has to look them up again. */
  get generation(): number {
    return this.#generation;
  }

  families(): Iterable<Family> {
    return this.#families.values();
  }

  counter(name: string): CounterFamily {
    return this.findCounter(name) ?? this.#addCounter(name, hostMetricHelp.counter);
  }

  histogram(name: string): HistogramFamily {
    return this.findHistogram(name) ?? this.#addHistogram(name, hostMetricHelp.histogram);
  }

  findCounter(name: string): CounterFamily | undefined {
    const family = this.#families.get(name);
    if (family === undefined || family.kind === "counter") return family;
    throw refusal(`metric "${name}" is a histogram, and was used as a counter`);
  }

  findHistogram(name: string): HistogramFamily | undefined {
    const family = this.#families.get(name);
    if (family === undefined || family.kind === "histogram") return family;
    throw refusal(`metric "${name}" is a counter, and was used as a histogram`);
  }

  reset(): void {
    this.#generation += 1;
    this.#families.clear();
    this.#taken.clear();
    this.#addBuiltIn();
  }

  /** They are on the page from the start, so that an empty page says what it is for. */
  #addBuiltIn(): void {
    for (const { kind, name, help } of Object.values(builtInMetrics)) {
      if (kind === "counter") this.#addCounter(name, help);
      else this.#addHistogram(name, help);
    }
  }

  #addCounter(name: string, help: string): CounterFamily {
    this.#take("counter", name);
    const family = createCounterFamily(name, help, this.#limit());
    this.#families.set(name, family);
    return family;
  }

  #addHistogram(name: string, help: string): HistogramFamily {
    this.#take("histogram", name);
    const family = createHistogramFamily(name, help, this.#options.buckets, this.#limit());
    this.#families.set(name, family);
    return family;
  }

  #take(kind: Family["kind"], name: string): void {
    checkMetricName(name);
    const names = namesTakenBy(kind, name);
    for (const taken of names) {
      const owner = this.#taken.get(taken);
      if (owner === undefined) continue;
      throw refusal(`${kind} "${name}" would be mixed up with "${owner}": both need the name "${taken}"`);
    }
    for (const taken of names) this.#taken.set(taken, name);
  }

  #limit() {
    const { maxSeries, logger } = this.#options;
    const onOverflow = (metric: string): void => {
      if (this.#reported.has(metric)) return;
      this.#reported.add(metric);
      logger.error({ metric, maxSeries }, "A metric has too many series; the rest is counted as one");
    };
    return { maxSeries, onOverflow };
  }
}
