import type { EvaluationEvent, EvaluationObserver, MetricLabels } from "@decern/core";
import type { Counter } from "./family.js";
import type { Histogram } from "./histogram.js";
import { builtInMetrics } from "./names.js";
import type { Registry } from "./registry.js";

/** The series of one decision, kept so that an evaluation looks up one id and no labels. */
interface DecisionSeries {
  readonly duration: Histogram;
  readonly statuses: Partial<Record<EvaluationEvent["status"], Counter>>;
  readonly rules: Map<string, Counter>;
}

/** Records every evaluation that it is told of. Decisions of the same id share series, in however many hosts they are. */
export class EvaluationMetrics implements EvaluationObserver {
  readonly #registry: Registry;
  readonly #decisions = new Map<string, DecisionSeries>();
  #generation: number;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#generation = registry.generation;
  }

  onEvaluated(event: EvaluationEvent): void {
    const { decision, status, result } = event;
    const { id } = decision;
    if (this.#generation !== this.#registry.generation) {
      this.#decisions.clear();
      this.#generation = this.#registry.generation;
    }
    const series = this.#decisions.get(id) ?? this.#addDecision(id);
    (series.statuses[status] ?? this.#addStatus(series, id, status)).value += 1;
    series.duration.observe(event.durationSeconds);
    if (result?.status !== "OK") return;
    const rule = result.meta.matchedRule;
    (series.rules.get(rule) ?? this.#addRule(series, id, rule)).value += 1;
  }

  #addDecision(id: string): DecisionSeries {
    const { name, labelNames } = builtInMetrics.duration;
    const duration = this.#registry.histogram(name, zip(labelNames, [id]));
    const series: DecisionSeries = { duration, statuses: {}, rules: new Map() };
    this.#decisions.set(id, series);
    return series;
  }

  #addStatus(series: DecisionSeries, id: string, status: EvaluationEvent["status"]): Counter {
    const { name, labelNames } = builtInMetrics.evaluations;
    const counter = this.#registry.counter(name, zip(labelNames, [id, status]));
    series.statuses[status] = counter;
    return counter;
  }

  #addRule(series: DecisionSeries, id: string, rule: string): Counter {
    const { name, labelNames } = builtInMetrics.ruleMatches;
    const counter = this.#registry.counter(name, zip(labelNames, [id, rule]));
    series.rules.set(rule, counter);
    return counter;
  }
}

function zip(names: readonly string[], values: readonly string[]): MetricLabels {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
