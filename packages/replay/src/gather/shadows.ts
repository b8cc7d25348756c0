import type { DecisionRecord, RecordStatus } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameOutcome } from "@decern/core/tools";
import {
  type Ending,
  explanationOf,
  type Judgement,
  recordedEnding,
  withoutComparison,
} from "../judge/judgement.js";
import { weightOf } from "./tally.js";

/** So many calls, and up to twice as many, are kept for shadows that may follow: one is recorded right after the reply. */
const windowCalls = 1024;

/**
 * As many are kept until the first shadow comes: most records have none. What is kept outlives the first generation of the
 * garbage collector, which takes as much time as an evaluation.
 */
const fewCalls = 64;

/** How many shadows wait for their call. */
const maxWaiting = 10_000;

/** Pairs each shadow with the call that its record names, whichever comes first. It keeps a bounded number of both. */
export class ShadowPairs<Kept> {
  /** By record id. */
  #calls = new Map<string, Kept>();
  /** Those before them. */
  #earlier = new Map<string, Kept>();
  /** By the record id of their call, the oldest first. */
  readonly #waiting = new Map<string, DecisionRecord>();
  readonly #keep: (record: DecisionRecord) => Kept;
  readonly #onPair: (call: Kept, shadow: DecisionRecord) => void;
  readonly #onUnpaired: (shadow: DecisionRecord) => void;
  #limit = fewCalls;

  /**
   * @param keep - returns the parts of a call that are needed later
   * @param onUnpaired - gets every shadow whose record names no call, or one that was not found
   */
  constructor(
    keep: (record: DecisionRecord) => Kept,
    onPair: (call: Kept, shadow: DecisionRecord) => void,
    onUnpaired: (shadow: DecisionRecord) => void,
  ) {
    this.#keep = keep;
    this.#onPair = onPair;
    this.#onUnpaired = onUnpaired;
  }

  /** Adds the record of a call that was replied to. */
  addCall(record: DecisionRecord): void {
    const { recordId } = record;
    const shadow = this.#waiting.get(recordId);
    if (shadow !== undefined) {
      this.#waiting.delete(recordId);
      this.#onPair(this.#keep(record), shadow);
      return;
    }
    if (this.#calls.size >= this.#limit) {
      this.#earlier = this.#calls;
      this.#calls = new Map();
    }
    this.#calls.set(recordId, this.#keep(record));
  }

  addShadow(record: DecisionRecord): void {
    this.#limit = windowCalls;
    const { shadowOf } = record;
    const call =
      shadowOf === undefined ? undefined : (this.#calls.get(shadowOf) ?? this.#earlier.get(shadowOf));
    if (call !== undefined) {
      this.#onPair(call, record);
    } else if (shadowOf === undefined || this.#waiting.has(shadowOf)) {
      this.#onUnpaired(record);
    } else {
      this.#waiting.set(shadowOf, record);
      if (this.#waiting.size > maxWaiting) this.#dropOldest();
    }
  }

  /**
   * Takes the calls that shadows still wait for: a call of a long list is far from its shadow.
   *
   * @param find - finds records from one instant, inclusive, to another, exclusive
   */
  async findCalls(find: (from: Date, to: Date) => AsyncIterable<DecisionRecord>): Promise<void> {
    // A shadow has the instant of its call.
    const times = [...this.#waiting.values()].map(({ recordedAt }) => Date.parse(recordedAt));
    if (times.length === 0) return;
    const [from, to] = times.reduce(
      ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    for await (const record of find(new Date(from), new Date(to + 1))) {
      if (record.selectedBy !== "shadow" && this.#waiting.has(record.recordId)) this.addCall(record);
      if (this.#waiting.size === 0) return;
    }
  }

  /** Ends the waiting. */
  end(): void {
    for (const shadow of this.#waiting.values()) this.#onUnpaired(shadow);
    this.#waiting.clear();
  }

  #dropOldest(): void {
    for (const [key, shadow] of this.#waiting) {
      this.#waiting.delete(key);
      this.#onUnpaired(shadow);
      return;
    }
  }
}

/** The parts of a call that are kept until the record of its shadow comes. */
export interface ShadowedCall {
  readonly ending: Ending;
  readonly status: RecordStatus;
  readonly weight: number;
  readonly isLacking: boolean;
}

/** Takes of a call what its shadow is compared with. */
export function shadowedCall(record: DecisionRecord): ShadowedCall {
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
  return {
    status,
    data,
    message,
    meta: { matchedRule: meta["matchedRule"], explanation: meta["explanation"] },
  };
}

/** Compares a shadow with the call alongside which it was evaluated. */
export function judgeShadow(call: ShadowedCall, shadow: DecisionRecord): Judgement {
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
