import type { DecisionRecord, UnreadableRecord } from "@decern/core";
import { type Decided, recordedBy } from "../judge/evaluation.js";
import { isErased, type Judgement } from "../judge/judge.js";
import type { Reason, ReplayReport } from "../report/replay-report.js";
import { ComparisonBuilder, type ReportSettings } from "./comparison-builder.js";
import { TallyCounter, weightOf } from "./tally.js";

/** Most different reasons that are counted. */
const maxReasons = 1000;

/** Counts why records could not be compared, or failed. */
class ReasonCounter {
  readonly #reasons = new Map<string, { readonly reason: Omit<Reason, "records">; records: number }>();

  add(verdict: Reason["verdict"], decisionId: string, text: string): void {
    const counted = this.#of(verdict, decisionId, text);
    counted.records += 1;
  }

  /** The most frequent first. */
  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()]
      .map(({ reason, records }) => ({ ...reason, records }))
      .sort((a, b) => b.records - a.records);
  }

  #of(verdict: Reason["verdict"], decisionId: string, text: string): { records: number } {
    const key = `${verdict}\n${decisionId}\n${text}`;
    const known = this.#reasons.get(key);
    if (known !== undefined) return known;
    if (this.#reasons.size >= maxReasons && text !== other) return this.#of(verdict, decisionId, other);
    const counted = { reason: { verdict, decisionId, reason: text }, records: 0 };
    this.#reasons.set(key, counted);
    return counted;
  }
}

const other = "another reason";

/** Most that are listed of what isn't a record. */
const maxUnreadable = 10;

/** Gathers a report. It grows with the number of decisions, outcomes and outputs, and not with the number of records. */
export class ReportBuilder {
  readonly #settings: ReportSettings;
  readonly #tally = new TallyCounter();
  readonly #reasons = new ReasonCounter();
  readonly #decisions = new Map<string, Gathered>();
  readonly #defaults = new Map<string, Gathered>();
  readonly #shadows = new Map<string, Gathered>();
  /** Inconclusive calls, without those that were erased. */
  #inconclusive = 0;
  readonly #firstUnreadable: UnreadableRecord[] = [];
  #unreadable = 0;
  #records = 0;
  #controlled = 0;
  #from: string | undefined;
  #to: string | undefined;

  constructor(settings: ReportSettings) {
    this.#settings = settings;
  }

  get records(): number {
    return this.#records;
  }

  /** Counts a record that was read. */
  read({ recordedAt }: DecisionRecord): void {
    this.#records += 1;
    if (this.#from === undefined || recordedAt < this.#from) this.#from = recordedAt;
    if (this.#to === undefined || recordedAt > this.#to) this.#to = recordedAt;
  }

  /** Counts what isn't a record. */
  addUnreadable(record: UnreadableRecord): void {
    this.#unreadable += 1;
    if (this.#firstUnreadable.length < maxUnreadable) this.#firstUnreadable.push(record);
  }

  add(record: DecisionRecord, judgement: Judgement): void {
    const { id } = record.decision;
    const { verdict, reason } = judgement;
    const weight = weightOf(record);
    this.#tally.add(verdict, weight);
    if (verdict === "inconclusive" && !isErased(record)) this.#inconclusive += weight;
    if (judgement.isControlled) this.#controlled += 1;
    if (reason !== undefined && verdict !== "unchanged" && verdict !== "changed")
      this.#reasons.add(verdict, id, reason);
    this.#gathered(this.#decisions, id).builder.add(record, judgement, weight, recordedBy(record));
  }

  /** Adds what the default version would have returned for a call that another version evaluated. */
  addDefault(record: DecisionRecord, judgement: Judgement): void {
    const gathered = this.#gathered(this.#defaults, record.decision.id);
    gathered.builder.add(record, judgement, weightOf(record), recordedBy(record));
  }

  /**
   * Adds a shadow that was compared with its call.
   *
   * @param before - what decided the call
   */
  addShadow(shadow: DecisionRecord, judgement: Judgement, weight: number, before: Decided): void {
    this.#gathered(this.#shadows, shadow.decision.id).builder.add(shadow, judgement, weight, before);
  }

  /** Counts a shadow whose call was not found. */
  addUnpaired(shadow: DecisionRecord): void {
    this.#gathered(this.#shadows, shadow.decision.id).unpaired += 1;
  }

  /**
   * @param allowed - the share that may change or fail
   * @param allowedInconclusive - the share that may be inconclusive
   * @param ids - of the candidate's decisions, in order
   */
  build(allowed: number, allowedInconclusive: number, ids: readonly string[]): ReplayReport {
    const { share, compared, comparedCalls } = this.#tally;
    const inconclusiveShare =
      this.#inconclusive === 0 ? 0 : this.#inconclusive / (comparedCalls + this.#inconclusive);
    const others = [...this.#decisions.keys()].filter((id) => !ids.includes(id)).sort();
    const build = (all: ReadonlyMap<string, Gathered>) =>
      [...ids, ...others].flatMap((id) => all.get(id)?.builder.build() ?? []);
    return {
      reportVersion: 1,
      isWithin: compared > 0 && share <= allowed && inconclusiveShare <= allowedInconclusive,
      allowed,
      share,
      allowedInconclusive,
      inconclusiveShare,
      records: this.#records,
      unreadable: { count: this.#unreadable, first: this.#firstUnreadable },
      ...(this.#from === undefined ? {} : { from: this.#from }),
      ...(this.#to === undefined ? {} : { to: this.#to }),
      counts: this.#tally.counts,
      estimated: this.#tally.estimated,
      controlled: this.#controlled,
      reasons: this.#reasons.reasons,
      decisions: build(this.#decisions),
      defaults: build(this.#defaults),
      shadows: [...this.#shadows.values()].map(({ builder, unpaired }) => ({ ...builder.build(), unpaired })),
    };
  }

  #gathered(all: Map<string, Gathered>, id: string): Gathered {
    let gathered = all.get(id);
    if (gathered === undefined) {
      gathered = { builder: new ComparisonBuilder(id, this.#settings), unpaired: 0 };
      all.set(id, gathered);
    }
    return gathered;
  }
}

interface Gathered {
  readonly builder: ComparisonBuilder;
  /** Shadows whose call was not found. */
  unpaired: number;
}
