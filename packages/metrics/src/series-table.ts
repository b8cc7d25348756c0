import type { MetricLabels } from "@decern/core";
import { checkLabelName, toWellFormed } from "./grammar.js";
import { labelText } from "./label-text.js";
import { OVERFLOW_LABEL_VALUE } from "./names.js";
import { refusal } from "./refuse.js";

/** What a table needs to know of its metric. */
export interface SeriesTableOptions<Series> {
  readonly metric: string;
  readonly kind: "counter" | "histogram";
  readonly maxSeries: number;
  /** @param labels - as they are written between braces */
  readonly create: (labels: string) => Series;
  /** Told when the limit is met for the first time. */
  readonly onOverflow: (metric: string) => void;
}

/**
 * The series of one metric. Labels in any order are one series, and an empty value is as good as no label: that is how
 * Prometheus sees it.
 */
export class SeriesTable<Series> {
  readonly #options: SeriesTableOptions<Series>;
  readonly #byKey = new Map<string, Series>();
  /** Each name that was found good, with its place in keys. */
  readonly #places = new Map<string, number>();
  #overflow: Series | undefined;

  constructor(options: SeriesTableOptions<Series>) {
    this.#options = options;
  }

  /** All series, oldest first. */
  values(): Iterable<Series> {
    return this.#byKey.values();
  }

  /** Finds a series, and makes none. */
  find(labels: MetricLabels): Series | undefined {
    const key = this.#key(labels);
    return key === undefined ? undefined : (this.#byKey.get(key) ?? this.#findWellFormed(labels));
  }

  /** Finds the series of `labels`, makes it, or answers the overflow series when there are too many. */
  resolve(labels: MetricLabels): Series {
    const key = this.#key(labels);
    if (key !== undefined) {
      const series = this.#byKey.get(key) ?? this.#overflow;
      if (series !== undefined) return series;
    }
    return this.#add(labels);
  }

  /**
   * The identity of a series. Each value follows its length, so that no value can pretend to be two.
   *
   * @returns nothing when a label was never seen, or is no string
   */
  #key(labels: MetricLabels, names: readonly string[] = Object.keys(labels)): string | undefined {
    let key = "";
    let last = -1;
    for (const name of names) {
      const place = this.#places.get(name);
      const value = labels[name];
      if (place === undefined || typeof value !== "string") return undefined;
      if (place < last) return this.#key(labels, this.#inOrder(names));
      last = place;
      if (value !== "") key += `${place}:${value.length}:${value}`;
    }
    return key;
  }

  #inOrder(names: readonly string[]): readonly string[] {
    const placeOf = (name: string): number => this.#places.get(name) ?? Number.MAX_SAFE_INTEGER;
    return names.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  #add(labels: MetricLabels): Series {
    const entries = this.#checked(labels);
    const full = this.#byKey.size >= this.#options.maxSeries;
    const known = entries.every(([name]) => this.#places.has(name));
    // A table that is full learns no names: what it keeps must not grow with what it is given.
    if (full && !known) return this.#overflowOf(entries);
    for (const [name] of entries) if (!this.#places.has(name)) this.#places.set(name, this.#places.size);
    const key = this.#key(Object.fromEntries(entries)) ?? "";
    const series = this.#byKey.get(key);
    if (series !== undefined) return series;
    return full ? this.#overflowOf(entries) : this.#create(key, entries);
  }

  #overflowOf(entries: readonly (readonly [string, string])[]): Series {
    if (this.#overflow !== undefined) return this.#overflow;
    const names = entries.length === 0 ? ["overflow"] : entries.map(([name]) => name);
    for (const name of names) if (!this.#places.has(name)) this.#places.set(name, this.#places.size);
    const folded = names.map((name) => [name, OVERFLOW_LABEL_VALUE] as const);
    const key = this.#key(Object.fromEntries(folded)) ?? "";
    this.#overflow = this.#byKey.get(key) ?? this.#create(key, folded);
    this.#options.onOverflow(this.#options.metric);
    return this.#overflow;
  }

  #create(key: string, entries: readonly (readonly [string, string])[]): Series {
    const series = this.#options.create(labelText(entries));
    this.#byKey.set(key, series);
    return series;
  }

  #findWellFormed(labels: MetricLabels): Series | undefined {
    const key = this.#key(Object.fromEntries(this.#checked(labels)));
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  #checked(labels: MetricLabels): readonly (readonly [string, string])[] {
    const { metric, kind } = this.#options;
    return Object.entries(labels).map(([name, value]) => {
      checkLabelName(metric, kind, name);
      if (typeof value !== "string") {
        throw refusal(`label "${name}" of metric "${metric}" has to be a string, not ${typeof value}`);
      }
      return [name, toWellFormed(value)] as const;
    });
  }
}
