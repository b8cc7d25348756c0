import type { DecisionRecord } from "@decern/core";

/** Records of a call and of its shadow that wait for one another. A shadow is recorded right after the reply. */
const windowRecords = 1024;
/**
 * As many calls are kept until the first shadow comes: most records have none. What is kept outlives the first generation of the
 * garbage collector, which takes as much time as an evaluation.
 */
const fewRecords = 128;

/** Pairs records by their request, decision and instant, whichever comes first. It keeps a bounded number of them. */
export class ShadowPairs<Kept> {
  readonly #calls = new Waiting<Kept>(fewRecords);
  readonly #shadows = new Waiting<DecisionRecord>(windowRecords);
  readonly #keep: (record: DecisionRecord) => Kept;
  readonly #onPair: (call: Kept, shadow: DecisionRecord) => void;
  readonly #onUnpaired: (shadow: DecisionRecord) => void;

  /**
   * @param keep - takes of a call what is needed later
   * @param onUnpaired - gets every shadow whose call is not among the records near it
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
    const shadow = this.#shadows.isEmpty ? undefined : this.#shadows.take(record);
    if (shadow !== undefined) this.#onPair(this.#keep(record), shadow);
    else this.#calls.add(record, this.#keep(record));
  }

  addShadow(record: DecisionRecord): void {
    this.#calls.limit = windowRecords;
    const call = this.#calls.take(record);
    if (call !== undefined) {
      this.#onPair(call, record);
      return;
    }
    const dropped = this.#shadows.add(record, record);
    if (dropped !== undefined) this.#onUnpaired(dropped);
  }

  /** Ends the waiting. */
  end(): void {
    for (const shadow of this.#shadows.rest()) this.#onUnpaired(shadow);
  }
}

interface Entry<Kept> {
  readonly requestId: string;
  readonly decisionId: string;
  readonly recordedAt: string;
  readonly kept: Kept;
  isTaken: boolean;
  /** Another one of the same request: a request id may come again, and a request may ask for several decisions. */
  next: Entry<Kept> | undefined;
}

/** The last so many records. */
class Waiting<Kept> {
  readonly #byRequest = new Map<string, Entry<Kept>>();
  readonly #ring: (Entry<Kept> | undefined)[] = [];
  #at = 0;
  limit: number;

  /** @param limit - how many are kept at first */
  constructor(limit: number) {
    this.limit = limit;
  }

  get isEmpty(): boolean {
    return this.#byRequest.size === 0;
  }

  /** @returns what had to go, where nobody took it */
  add({ requestId, decision, recordedAt }: DecisionRecord, kept: Kept): Kept | undefined {
    const last = (this.#at + windowRecords - this.limit) % windowRecords;
    const oldest = this.#ring[last];
    this.#ring[last] = undefined;
    const dropped = oldest === undefined || oldest.isTaken ? undefined : oldest.kept;
    if (oldest !== undefined) this.#remove(oldest);
    const next = this.#byRequest.get(requestId);
    const entry = { requestId, decisionId: decision.id, recordedAt, kept, isTaken: false, next };
    this.#byRequest.set(requestId, entry);
    this.#ring[this.#at] = entry;
    this.#at = (this.#at + 1) % windowRecords;
    return dropped;
  }

  /** Takes what waits for a record. */
  take({ requestId, decision, recordedAt }: DecisionRecord): Kept | undefined {
    for (let entry = this.#byRequest.get(requestId); entry !== undefined; entry = entry.next) {
      if (entry.isTaken || entry.decisionId !== decision.id || entry.recordedAt !== recordedAt) continue;
      entry.isTaken = true;
      this.#remove(entry);
      return entry.kept;
    }
    return undefined;
  }

  *rest(): Generator<Kept> {
    for (const entry of this.#ring) if (entry !== undefined && !entry.isTaken) yield entry.kept;
  }

  #remove(entry: Entry<Kept>): void {
    const first = this.#byRequest.get(entry.requestId);
    if (first === entry) {
      if (entry.next === undefined) this.#byRequest.delete(entry.requestId);
      else this.#byRequest.set(entry.requestId, entry.next);
      return;
    }
    for (let before = first; before !== undefined; before = before.next)
      if (before.next === entry) before.next = entry.next;
  }
}
