import type {
  Decision,
  EvaluationEvent,
  EvaluationObserver,
  MetricLabels,
  ProfileLoad,
  RecordEvent,
  ShadowEvent,
} from "@decern/core";
import { builtInMetrics, optionalMetrics, versionLabelName } from "./names.js";
import type { Counter } from "./registry/family.js";
import type { Histogram } from "./registry/histogram.js";
import type { Registry } from "./registry/registry.js";

/** Counters of evaluations by status. */
type StatusCounters = Partial<Record<EvaluationEvent["status"], Counter>>;

/** The series of one decision. Keeping them makes an evaluation look up one id instead of labels. */
interface DecisionSeries {
  readonly id: string;
  readonly duration: Histogram;
  /** Of all versions together. */
  readonly statuses: StatusCounters;
  /** By version, where versions are counted apart. */
  readonly versions: Map<string, StatusCounters>;
  readonly rules: Map<string, Counter>;
}

/** Records every evaluation it observes. Decisions with the same id share series, across all hosts. */
export class EvaluationMetrics implements EvaluationObserver {
  readonly #registry: Registry;
  readonly #decisions = new Map<string, DecisionSeries>();
  /** The series of the last evaluated decision, which is often evaluated again next. */
  #last: DecisionSeries | undefined;
  #generation: number;
  readonly #versionLabel: boolean;

  /** @param versionLabel - whether versions are counted apart */
  constructor(registry: Registry, versionLabel: boolean) {
    this.#registry = registry;
    this.#versionLabel = versionLabel;
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
    const statuses = this.#versionLabel ? statusesOf(series, decision.version) : series.statuses;
    (statuses[status] ?? this.#addStatus(statuses, decision, status)).value += 1;
    // A custom clock may return anything, and one invalid duration would corrupt the histogram's sum for good.
    const { durationSeconds } = event;
    if (durationSeconds >= 0 && durationSeconds < Number.POSITIVE_INFINITY) {
      series.duration.observe(durationSeconds);
    } else {
      this.#registry.reportDuration(durationSeconds);
    }
    const { used } = event;
    if (used.length > 0) this.#countUsed(used);
    if (matchedRule === undefined) return;
    (series.rules.get(matchedRule) ?? this.#addRule(series, matchedRule)).value += 1;
  }

  onShadowEvaluated({ decision, shadow, outcome }: ShadowEvent): void {
    const labels = {
      decision_id: decision.id,
      shadow_id: shadow.id,
      shadow_version: shadow.version,
      outcome,
    };
    this.#registry.counter(optionalMetrics.shadow.name, labels).value += 1;
  }

  onProfilesLoaded({ outcome }: ProfileLoad): void {
    this.#registry.counter(optionalMetrics.profileLoads.name, { outcome }).value += 1;
  }

  onRecorded({ outcome, count }: RecordEvent): void {
    this.#registry.counter(optionalMetrics.logRecords.name, { outcome }).value += count;
  }

  #countUsed(evaluations: EvaluationEvent["used"]): void {
    for (const { decision, result, used } of evaluations) {
      const labels = { decision_id: decision.id, status: result.status };
      this.#registry.counter(optionalMetrics.used.name, labels).value += 1;
      this.#countUsed(used);
    }
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
    const series: DecisionSeries = { id, duration, statuses: {}, versions: new Map(), rules: new Map() };
    this.#decisions.set(id, series);
    return series;
  }

  #addStatus(
    statuses: StatusCounters,
    { id, version }: Decision,
    status: EvaluationEvent["status"],
  ): Counter {
    const { name, labelNames } = builtInMetrics.evaluations;
    const labels = zip(labelNames, [id, status]);
    const versioned = this.#versionLabel ? { ...labels, [versionLabelName]: version } : labels;
    const counter = this.#registry.counter(name, versioned);
    statuses[status] = counter;
    return counter;
  }

  #addRule(series: DecisionSeries, id: string): Counter {
    const { name, labelNames } = builtInMetrics.ruleMatches;
    const counter = this.#registry.counter(name, zip(labelNames, [series.id, id]));
    series.rules.set(id, counter);
    return counter;
  }
}

function statusesOf({ versions }: DecisionSeries, version: string): StatusCounters {
  let statuses = versions.get(version);
  if (statuses === undefined) {
    statuses = {};
    versions.set(version, statuses);
  }
  return statuses;
}

function zip(names: readonly string[], values: readonly string[]): MetricLabels {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
