import type {
  Decision,
  EvaluationEvent,
  EvaluationObserver,
  MetricLabels,
  RecordEvent,
  ReplyEvent,
  ShadowEvent,
  SourceLoad,
} from "@decern/core";
import { type Counter, exemplarOf, type Histogram } from "./registry/family.js";
import { evaluationMetrics, optionalMetrics, versionLabelName } from "./registry/names.js";
import type { Registry } from "./registry/registry.js";

const statusNames = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "REFUSED", "ERROR"] as const;

/** The value of the labels `route` and `method` where there is none. */
const noValue = "none";

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

/** The series of the replies of one route to one method. */
interface ReplySeries {
  readonly route: string;
  readonly method: string;
  readonly counters: Map<number, Counter>;
  /** Set once a reply has a duration. */
  duration: Histogram | undefined;
}

/** Records every evaluation it observes. Decisions with the same id share series, across all hosts. */
export class EvaluationMetrics implements EvaluationObserver {
  readonly #registry: Registry;
  readonly #decisions = new Map<string, DecisionSeries>();
  /** The watched sets in use. */
  readonly #sets = new Map<string, { readonly revision: string; readonly since: number }>();
  /** Those of the last reply: the next one mostly needs the same. */
  #lastReply: ReplySeries | undefined;
  #generation: number;
  readonly #versionLabel: boolean;
  readonly #exemplars: boolean;

  /**
   * @param versionLabel - whether versions are counted apart
   * @param exemplars - whether buckets name a request
   */
  constructor(registry: Registry, versionLabel: boolean, exemplars: boolean) {
    this.#registry = registry;
    this.#versionLabel = versionLabel;
    this.#exemplars = exemplars;
    this.#generation = registry.generation;
  }

  onEvaluated(event: EvaluationEvent): void {
    // Not `result`: the event copies it when it is read.
    const { decision, status, matchedRule } = event;
    if (this.#generation !== this.#registry.generation) this.#forget();
    const series = this.#decisions.get(decision.id) ?? this.#start(decision);
    const statuses = this.#versionLabel
      ? (series.versions.get(decision.version) ?? this.#startVersion(series, decision))
      : series.statuses;
    (statuses[status] ?? this.#addStatus(statuses, decision, status)).value += 1;
    // A custom clock may return anything, and one invalid duration would corrupt the histogram's sum for good.
    const { durationSeconds } = event;
    if (durationSeconds >= 0 && durationSeconds < Number.POSITIVE_INFINITY) {
      series.duration.observe(durationSeconds, this.#exemplars ? exemplarOf(event) : undefined);
    } else {
      this.#registry.reportDuration(durationSeconds);
    }
    const { used } = event;
    if (used.length > 0) this.#countUsed(used);
    if (matchedRule === undefined) return;
    // The trace of a decision of `logic` is its hits, of which several may decide together.
    const result = decision.contentHash === undefined ? undefined : event.result;
    if (result?.status !== "OK") this.#countRule(series, matchedRule);
    else for (const { ruleId } of result.meta.evaluatedRules) this.#countRule(series, ruleId);
  }

  onServed(decisions: readonly Decision[]): void {
    if (this.#generation !== this.#registry.generation) this.#forget();
    for (const decision of decisions) this.#start(decision);
  }

  onReplied({ route = noValue, method = noValue, status, count, durationSeconds }: ReplyEvent): void {
    const registry = this.#registry;
    if (this.#generation !== registry.generation) this.#forget();
    let series = this.#lastReply;
    if (series?.route !== route || series.method !== method) {
      series = { route, method, counters: new Map(), duration: undefined };
      this.#lastReply = series;
    }
    let counter = series.counters.get(status);
    if (counter === undefined) {
      const labels = { method, route, status: String(status) };
      counter = registry.series("counter", optionalMetrics.httpReplies.name, labels);
      series.counters.set(status, counter);
    }
    counter.value += count;
    if (durationSeconds === undefined || route === noValue) return;
    series.duration ??= registry.series("histogram", optionalMetrics.httpDuration.name, { method, route });
    series.duration.observe(durationSeconds);
  }

  onShadowEvaluated({ decision, shadow, outcome }: ShadowEvent): void {
    const labels = { decision_id: decision.id, shadow_id: shadow.id, shadow_version: shadow.version };
    const outcomes: readonly ShadowEvent["outcome"][] = ["same", "different", "failed"];
    this.#countOutcome(optionalMetrics.shadow.name, outcomes, outcome, 1, labels);
  }

  onProfilesLoaded(load: SourceLoad): void {
    this.#onLoaded("profiles", optionalMetrics.profileLoads.name, load);
  }

  onDecisionsLoaded(load: SourceLoad): void {
    this.#onLoaded("decisions", optionalMetrics.decisionLoads.name, load);
  }

  #onLoaded(part: string, name: string, load: SourceLoad): void {
    const { outcome } = load;
    // Only decisions are compared with records before they are used.
    const canBeHeld = part === "decisions";
    const outcomes: readonly SourceLoad["outcome"][] = [
      "loaded",
      "scheduled",
      ...(canBeHeld ? ["held" as const] : []),
      "failed",
    ];
    this.#countOutcome(name, outcomes, outcome, 1);
    this.#registry.series("gauge", optionalMetrics.loadFailing.name, { part }).value =
      outcome === "failed" ? 1 : 0;
    // A load that fails says nothing of the set that is held.
    if (canBeHeld && outcome !== "failed")
      this.#registry.series("gauge", optionalMetrics.setHeld.name, { part }).value =
        outcome === "held" ? 1 : 0;
    // After a failure, the set in use is reported again.
    if (outcome !== "loaded" || this.#sets.get(part)?.revision === (load.revision ?? "")) return;
    this.#sets.set(part, { revision: load.revision ?? "", since: Date.now() / 1000 });
    const { setSince } = optionalMetrics;
    // Old revisions would add up.
    this.#registry.find("gauge", setSince.name)?.series.clear();
    for (const [each, { revision, since }] of this.#sets)
      this.#registry.series("gauge", setSince.name, { part: each, revision }).value = since;
  }

  onRecorded({ outcome, count }: RecordEvent): void {
    const outcomes: readonly RecordEvent["outcome"][] = ["written", "lost", "refused"];
    this.#countOutcome(optionalMetrics.logRecords.name, outcomes, outcome, count);
  }

  /** Adds to one outcome. The others begin at 0 with the first, so that their own first one is an increase. */
  #countOutcome(
    name: string,
    outcomes: readonly string[],
    outcome: string,
    count: number,
    labels?: MetricLabels,
  ): void {
    for (const each of outcomes) {
      if (each !== outcome && !this.#registry.hasRoomForZeros(name)) continue;
      this.#registry.series("counter", name, { ...labels, outcome: each }).value +=
        each === outcome ? count : 0;
    }
  }

  #countRule(series: DecisionSeries, id: string): void {
    (series.rules.get(id) ?? this.#addRule(series, id)).value += 1;
  }

  #countUsed(evaluations: EvaluationEvent["used"]): void {
    for (const { decision, result, used } of evaluations) {
      const labels = { decision_id: decision.id, status: result.status };
      this.#registry.series("counter", optionalMetrics.used.name, labels).value += 1;
      this.#countUsed(used);
    }
  }

  /** Called after the registry was reset, because it no longer has these series. */
  #forget(): void {
    this.#decisions.clear();
    this.#lastReply = undefined;
    this.#generation = this.#registry.generation;
  }

  /** Makes the series of a decision that hosts may evaluate from now on, all at 0. */
  #start(decision: Decision): DecisionSeries {
    const { id, version } = decision;
    let series = this.#decisions.get(id);
    if (series === undefined) {
      const duration = this.#registry.series("histogram", evaluationMetrics.duration.name, {
        decision_id: id,
      });
      series = { id, duration, statuses: {}, versions: new Map(), rules: new Map() };
      this.#decisions.set(id, series);
    }
    if (!this.#versionLabel) this.#startStatuses(series.statuses, decision);
    else if (!series.versions.has(version)) this.#startVersion(series, decision);
    for (const rule of decision.ruleIds) {
      if (!this.#registry.hasRoomForZeros(evaluationMetrics.ruleMatches.name)) break;
      if (!series.rules.has(rule)) this.#addRule(series, rule);
    }
    return series;
  }

  #startVersion(series: DecisionSeries, decision: Decision): StatusCounters {
    const statuses: StatusCounters = {};
    series.versions.set(decision.version, statuses);
    this.#startStatuses(statuses, decision);
    return statuses;
  }

  #startStatuses(statuses: StatusCounters, decision: Decision): void {
    for (const status of statusNames) {
      if (!this.#registry.hasRoomForZeros(evaluationMetrics.evaluations.name)) return;
      if (statuses[status] === undefined) this.#addStatus(statuses, decision, status);
    }
  }

  #addStatus(
    statuses: StatusCounters,
    { id, version }: Decision,
    status: EvaluationEvent["status"],
  ): Counter {
    const versions = this.#versionLabel ? { [versionLabelName]: version } : {};
    const labels = { decision_id: id, status, ...versions };
    const counter = this.#registry.series("counter", evaluationMetrics.evaluations.name, labels);
    statuses[status] = counter;
    return counter;
  }

  #addRule(series: DecisionSeries, id: string): Counter {
    const labels = { decision_id: series.id, rule_id: id };
    const counter = this.#registry.series("counter", evaluationMetrics.ruleMatches.name, labels);
    series.rules.set(id, counter);
    return counter;
  }
}
