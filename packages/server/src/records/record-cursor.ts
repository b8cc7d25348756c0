import type { DecisionRecord } from "@decern/core";

/** Where a page of records ended. */
export interface RecordCursor {
  /** When its last record was made. */
  readonly at: Date;
  readonly recordId: string;
}

export function writeCursor({
  recordedAt,
  recordId,
}: Pick<DecisionRecord, "recordedAt" | "recordId">): string {
  return `${recordedAt}~${recordId}`;
}

/** @returns `undefined` for a text that {@link writeCursor} did not write */
export function readCursor(text: string): RecordCursor | undefined {
  const [, instant = "", recordId] = /^(\S+Z)~([\w-]{1,100})$/.exec(text) ?? [];
  const at = new Date(instant);
  return recordId === undefined || Number.isNaN(at.getTime()) ? undefined : { at, recordId };
}
