import type { EvaluationEvent, EvaluationObserver, MetricLabels } from "@decern/core";
import { builtInMetrics } from "./names.js";
import type { Counter } from "./registry/family.js";
import type { Histogram } from "./registry/histogram.js";
import type { Registry } from "./registry/registry.js";

/** The series of one decision, kept so that an evaluation looks up one id and no labels. */
interface DecisionSeries {
  readonly id: string;
  readonly duration: Histogram;
  readonly statuses: Partial<Record<EvaluationEvent["status"], Counter>>;
  readonly rules: Map<string, Counter>;
}

/** Records every evaluation it observes. Decisions with the same id share series, across all hosts. */
export class EvaluationMetrics implements EvaluationObserver {
  readonly #registry: Registry;
  readonly #decisions = new Map<string, DecisionSeries>();
  /** The series of the last evaluated decision, which is often the next one, too. */
  #last: DecisionSeries | undefined;
  #generation: number;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#generation = registry.generation;
  }

  onEvaluated(event: EvaluationEvent): void {
    const { decision, status, matchedRule } = event;
    if (this.#generation !== this.#registry.generation) this.#forget();
    let series = this.#last;
    if (series === undefined || series.id !== decision.id) {
      series = this.#decisions.get(decision.id) ?? this.#addDecision(decision.id);
      this.#last = series;
    }
    (series.statuses[status] ?? this.#addStatus(series, status)).value += 1;
    // A custom clock may return anything, and one invalid duration would corrupt the histogram's sum for good.
    const { durationSeconds } = event;
    if (durationSeconds >= 0 && durationSeconds < Number.POSITIVE_INFINITY) {
      series.duration.observe(durationSeconds);
    } else {
      this.#registry.reportDuration(durationSeconds);
    }
    if (matchedRule === undefined) return;
    (series.rules.get(matchedRule) ?? this.#addRule(series, matchedRule)).value += 1;
  }

  /** Called after the registry was reset, because it no longer has these series. */
  #forget(): void {
    this.#decisions.clear();
    this.#last = undefined;
    this.#generation = this.#registry.generation;
  }

  #addDecision(id: string): DecisionSeries {
    const { name, labelNames } = builtInMetrics.duration;
    const duration = this.#registry.histogram(name, zip(labelNames, [id]));
    const series: DecisionSeries = { id, duration, statuses: {}, rules: new Map() };
    this.#decisions.set(id, series);
    return series;
  }

  #addStatus(series: DecisionSeries, status: EvaluationEvent["status"]): Counter {
    const { name, labelNames } = builtInMetrics.evaluations;
    const counter = this.#registry.counter(name, zip(labelNames, [series.id, status]));
    series.statuses[status] = counter;
    return counter;
  }

  #addRule(series: DecisionSeries, id: string): Counter {
    const { name, labelNames } = builtInMetrics.ruleMatches;
    const counter = this.#registry.counter(name, zip(labelNames, [series.id, id]));
    series.rules.set(id, counter);
    return counter;
  }
}

function zip(names: readonly string[], values: readonly string[]): MetricLabels {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
