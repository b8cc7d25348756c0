import type { DecisionRecord, StoredQuery } from "@decern/core";
import { newline } from "./line-blocks.js";
import { parseRecord, timeOf } from "./record-text.js";

/** A line that may match, and where in its block. */
export interface CandidateLine {
  /** The instant of its record, ISO 8601. */
  readonly time: string;
  readonly start: number;
  readonly end: number;
}

/** Finds records in lines: by bytes where this is possible, because parsing takes longest. */
export class LineFilter {
  readonly #query: StoredQuery;
  readonly #from: string | undefined;
  readonly #to: string | undefined;
  /** Every line that matches has one of them. Empty: any line may match. */
  readonly #needles: readonly Buffer[];

  constructor(query: StoredQuery) {
    this.#query = query;
    this.#from = query.from?.toISOString();
    this.#to = query.to?.toISOString();
    this.#needles = needlesOf(query).map((needle) => Buffer.from(needle));
  }

  /** Lines that may match: {@link parse} tells. */
  *candidates(block: Buffer): Generator<CandidateLine> {
    const places = this.#needles.map(() => -1);
    for (let from = 0; from < block.length; ) {
      const at = this.#next(block, from, places);
      if (at === Number.POSITIVE_INFINITY) return;
      const start = this.#needles.length === 0 ? from : block.lastIndexOf(newline, at) + 1;
      const newlineAt = block.indexOf(newline, at);
      const end = newlineAt === -1 ? block.length : newlineAt;
      const time = timeOf(block.subarray(start, end));
      if (time !== undefined && this.#isInTime(time)) yield { time, start, end };
      from = end + 1;
    }
  }

  /** The record of a line; `undefined` when it does not match. */
  parse(line: Buffer): DecisionRecord | undefined {
    const record = parseRecord(line.toString("utf8"));
    return record !== undefined && this.#accepts(record) ? record : undefined;
  }

  /** @param places - where each needle was found last, so that none is looked for twice */
  #next(block: Buffer, from: number, places: number[]): number {
    if (this.#needles.length === 0) return from;
    for (const [index, needle] of this.#needles.entries()) {
      if ((places[index] ?? -1) >= from) continue;
      const at = block.indexOf(needle, from);
      places[index] = at === -1 ? Number.POSITIVE_INFINITY : at;
    }
    return Math.min(...places);
  }

  #isInTime(time: string): boolean {
    return (this.#from === undefined || time >= this.#from) && (this.#to === undefined || time < this.#to);
  }

  #accepts(record: DecisionRecord): boolean {
    const { decision, version, status, rule, requestId, recordId, caller, subjects } = this.#query;
    return (
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

/** The condition that fewest records are likely to meet, as text in the line. */
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
