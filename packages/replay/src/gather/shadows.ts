import type { DecisionRecord, RecordStatus } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameOutcome } from "@decern/core/tools";
import { type Ending, explanationOf, recordedEnding } from "../judge/evaluation.js";
import { type Judgement, withoutComparison } from "../judge/judge.js";
import type { ReportBuilder } from "./report-builder.js";
import { weightOf } from "./tally.js";

/** So many calls, and up to twice as many, are kept for shadows that may follow: one is recorded right after the reply. */
const windowCalls = 1024;

/** Until the first shadow comes, so many records are kept as they are: most logs have no shadows. */
const recentCalls = 64;

/** How many shadows wait for their call. */
const maxWaiting = 10_000;

/** The parts of a call that are kept until the record of its shadow comes. */
interface Call {
  readonly ending: Ending;
  readonly status: RecordStatus;
  readonly weight: number;
  readonly isLacking: boolean;
}

/** Pairs each shadow with the call that its record names, whichever comes first. It keeps a bounded number of both. */
export class ShadowPairs {
  /** By record id. */
  #calls = new Map<string, Call>();
  /** Those before them. */
  #earlier = new Map<string, Call>();
  /** By the record id of their call, the oldest first. */
  readonly #waiting = new Map<string, DecisionRecord>();
  readonly #report: ReportBuilder;
  /** `undefined` once there was a shadow. */
  #recent: DecisionRecord[] | undefined = [];
  #nextRecent = 0;

  /** @param report - gets every pair, and every shadow whose record names no call, or one that was not found */
  constructor(report: ReportBuilder) {
    this.#report = report;
  }

  /** Adds the record of a call that was replied to. */
  addCall(record: DecisionRecord): void {
    if (this.#recent === undefined) return this.#addCall(record);
    this.#recent[this.#nextRecent] = record;
    this.#nextRecent = (this.#nextRecent + 1) % recentCalls;
  }

  #addCall(record: DecisionRecord): void {
    const { recordId } = record;
    const shadow = this.#waiting.get(recordId);
    if (shadow !== undefined) {
      this.#waiting.delete(recordId);
      this.#pair(callOf(record), shadow);
      return;
    }
    if (this.#calls.size >= windowCalls) {
      this.#earlier = this.#calls;
      this.#calls = new Map();
    }
    this.#calls.set(recordId, callOf(record));
  }

  addShadow(record: DecisionRecord): void {
    const recent = this.#recent ?? [];
    this.#recent = undefined;
    for (const call of recent) this.#addCall(call);
    const { shadowOf } = record;
    if (shadowOf === undefined) return this.#report.addUnpaired(record);
    const call = this.#calls.get(shadowOf) ?? this.#earlier.get(shadowOf);
    if (call !== undefined) return this.#pair(call, record);
    if (this.#waiting.has(shadowOf)) return this.#report.addUnpaired(record);
    this.#waiting.set(shadowOf, record);
    if (this.#waiting.size > maxWaiting) this.#dropOldest();
  }

  /**
   * Takes the calls that shadows still wait for: a call of a long list is far from its shadow.
   *
   * @param find - finds records from one instant, inclusive, to another, exclusive
   */
  async findCalls(find: (from: Date, to: Date) => AsyncIterable<DecisionRecord>): Promise<void> {
    // A shadow has the instant of its call.
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { recordedAt } of this.#waiting.values()) {
      from = Math.min(from, Date.parse(recordedAt));
      to = Math.max(to, Date.parse(recordedAt));
    }
    if (this.#waiting.size === 0) return;
    for await (const record of find(new Date(from), new Date(to + 1))) {
      if (record.selectedBy !== "shadow" && this.#waiting.has(record.recordId)) this.addCall(record);
      if (this.#waiting.size === 0) return;
    }
  }

  /** Ends the waiting. */
  end(): void {
    while (this.#waiting.size > 0) this.#dropOldest();
  }

  #pair(call: Call, shadow: DecisionRecord): void {
    // Whether a call and its shadow are recorded are two draws.
    const weight = call.weight * weightOf(shadow);
    this.#report.addShadow(shadow, judgeShadow(call, shadow), weight, call.ending);
  }

  #dropOldest(): void {
    const [[key, shadow] = []] = this.#waiting;
    if (key === undefined || shadow === undefined) return;
    this.#waiting.delete(key);
    this.#report.addUnpaired(shadow);
  }
}

/** Takes of a call what its shadow is compared with. */
function callOf(record: DecisionRecord): Call {
  const ending = recordedEnding(record);
  return {
    ending: { ...ending, envelope: withoutTrace(ending.envelope) },
    status: record.status,
    weight: weightOf(record),
    isLacking: isLacking(record),
  };
}

/** An envelope without its list of rules, which is most of it. */
function withoutTrace(envelope: unknown): unknown {
  if (!isJsonObject(envelope) || !isJsonObject(envelope["meta"])) return envelope;
  const { status, data, message, meta } = envelope;
  const { matchedRule, explanation } = meta;
  return { status, data, message, meta: { matchedRule, explanation } };
}

/** Compares a shadow with the call alongside which it was evaluated. */
function judgeShadow(call: Call, shadow: DecisionRecord): Judgement {
  const before = call.ending;
  const after = recordedEnding(shadow);
  const found = { isControlled: false, before, after, isExplainedDifferently: false };
  // Masks of both cover the same places, but what they hid may differ.
  const isUnknown = call.isLacking || isLacking(shadow);
  if (isUnknown && shadow.status === call.status && ["OK", "ERROR"].includes(shadow.status)) {
    if (shadow.status === "ERROR" || before.outcome === after.outcome)
      return withoutComparison("inconclusive", "its outcome was masked or erased");
  }
  if (shadow.status === "ERROR" && call.status !== "ERROR")
    return { ...found, verdict: "failed", reason: "the shadow failed" };
  if (before.outcome !== after.outcome || !isSameOutcome(before, after))
    return { ...found, verdict: "changed", reason: undefined };
  const isExplainedDifferently = explanationOf(before) !== explanationOf(after);
  return { ...found, verdict: "unchanged", reason: undefined, isExplainedDifferently };
}

/** Whether the record does not have the whole output. */
function isLacking({ masked, payload }: DecisionRecord): boolean {
  return (
    payload === null ||
    masked.some((pointer) => pointer === "" || pointer === "/result" || pointer.startsWith("/result/data"))
  );
}
