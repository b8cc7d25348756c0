import type { DecisionRecord } from "@decern/core";
import type { StoredQuery } from "../record/record-store.js";
import { newline, readRecord, timeOf } from "./line-blocks.js";

/** Finds records in lines, by bytes where possible, because parsing takes longest. */
export class LineFilter {
  readonly #query: StoredQuery;
  readonly #from: string | undefined;
  readonly #to: string | undefined;
  /** Every matching line has one of them. Empty: any line may match. */
  readonly needles: readonly Buffer[];

  constructor(query: StoredQuery) {
    this.#query = query;
    this.#from = query.from?.toISOString();
    this.#to = query.to?.toISOString();
    // A line that isn't a record may lack what is searched for.
    this.needles = (query.onUnreadable === undefined ? needlesOf(query) : []).map((needle) =>
      Buffer.from(needle),
    );
  }

  get hasTime(): boolean {
    return this.#from !== undefined || this.#to !== undefined;
  }

  /** Whether the time of a line matches. A line without a time may have to be reported. */
  mayMatch(time: string | undefined): boolean {
    return time === undefined ? this.#query.onUnreadable !== undefined : this.isInTime(time);
  }

  /**
   * The record of a line; `undefined` when it does not match.
   *
   * @param at - says where the line is
   */
  parse(block: Buffer, start: number, end: number, at: () => string): DecisionRecord | undefined {
    const record = readRecord(block.toString("utf8", start, end));
    if (typeof record === "string") {
      this.#query.onUnreadable?.({ at: at(), reason: record });
      return undefined;
    }
    return record !== undefined && this.#accepts(record) ? record : undefined;
  }

  /** @param time - ISO 8601 */
  isInTime(time: string): boolean {
    return (this.#from === undefined || time >= this.#from) && (this.#to === undefined || time < this.#to);
  }

  #accepts(record: DecisionRecord): boolean {
    const { decision, version, status, rule, requestId, recordId, caller, subjects } = this.#query;
    return (
      this.isInTime(record.recordedAt) &&
      (recordId === undefined || record.recordId === recordId) &&
      (requestId === undefined || record.requestId === requestId) &&
      (subjects === undefined || (record.subject !== undefined && subjects.includes(record.subject))) &&
      (caller === undefined || record.caller === caller) &&
      (rule === undefined || record.matchedRule === rule) &&
      (status === undefined || record.status === status) &&
      (decision === undefined || record.decision.id === decision) &&
      (version === undefined || record.decision.version === version)
    );
  }
}

/** The condition that the fewest records are likely to meet, as text in the line. */
function needlesOf(query: StoredQuery): readonly string[] {
  const { decision, version, status, rule, requestId, recordId, caller, subjects } = query;
  if (recordId !== undefined) return [member("recordId", recordId)];
  if (requestId !== undefined) return [member("requestId", requestId)];
  if (subjects !== undefined) return subjects.map((subject) => member("subject", subject));
  if (caller !== undefined) return [member("caller", caller)];
  if (rule !== undefined) return [member("matchedRule", rule)];
  if (status !== undefined && status !== "OK") return [member("status", status)];
  if (decision !== undefined) return [`"decision":{${member("id", decision)},`];
  if (version !== undefined) return [`,${member("version", version)}},"durationSeconds":`];
  return status === undefined ? [] : [member("status", status)];
}

function member(name: string, value: string): string {
  return `"${name}":${JSON.stringify(value)}`;
}

/** In lines that another program wrote again with spaces, where needles do not show. */
const spaced = Buffer.from('"recordVersion": ');

/** Steps through the lines of a block that may match; {@link LineFilter.parse} decides. */
export class CandidateLines {
  /** Where the line is in the block, without its newline. */
  start = 0;
  end = -1;
  readonly #block: Buffer;
  readonly #filter: LineFilter;
  /** Where each needle was found last, so that none is searched for twice. */
  readonly #places: number[];

  constructor(block: Buffer, filter: LineFilter) {
    this.#block = block;
    this.#filter = filter;
    const { needles } = filter;
    this.#places = needles.length === 0 || block.includes(spaced) ? [] : needles.map(() => -1);
  }

  next(): boolean {
    const block = this.#block;
    const from = this.end + 1;
    if (from >= block.length) return false;
    const hasNeedles = this.#places.length > 0;
    const at = hasNeedles ? this.#nextNeedle(from) : from;
    if (at === Number.POSITIVE_INFINITY) {
      this.end = block.length;
      return false;
    }
    this.start = hasNeedles ? block.lastIndexOf(newline, at) + 1 : from;
    const newlineAt = block.indexOf(newline, at);
    this.end = newlineAt === -1 ? block.length : newlineAt;
    return true;
  }

  time(): string | undefined {
    return timeOf(this.#block.subarray(this.start, this.end));
  }

  #nextNeedle(from: number): number {
    for (const [index, needle] of this.#filter.needles.entries()) {
      if ((this.#places[index] ?? -1) >= from) continue;
      const at = this.#block.indexOf(needle, from);
      this.#places[index] = at === -1 ? Number.POSITIVE_INFINITY : at;
    }
    return Math.min(...this.#places);
  }
}
