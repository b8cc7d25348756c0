import type { RecordEvent } from "@decern/core";
import type { Draft } from "../record/draft.js";

/** Told what became of records. */
export type Tell = (outcome: RecordEvent["outcome"], count: number) => void;

/** A record that waits to be written. */
export interface PendingRecord {
  /** About how much memory it takes. */
  readonly size: number;
  readonly tell: Tell;
  /** Settles what the reply waits for; `undefined` where it does not wait. */
  readonly reply: ReplyWait | undefined;
  /** Until it is sealed. */
  draft: Draft | undefined;
}

/** What a reply waits for. */
export interface ReplyWait {
  resolve(): void;
  reject(): void;
}

/** What a record takes beside its text. */
const overhead = 600;

export function pendingRecord(draft: Draft, tell: Tell, reply: ReplyWait | undefined): PendingRecord {
  const { payload, beforeHash, beforePayload, afterPrevious, addedLength } = draft;
  const payloadLength = payload === undefined ? 0 : payload.before.length + payload.after.length;
  const textLength = beforeHash.length + beforePayload.length + afterPrevious.length;
  const size = overhead + payloadLength + textLength + addedLength;
  return { size, tell, reply, draft };
}

/** Tells the hosts of records what became of them, each once. */
export function tellAll(records: readonly PendingRecord[], outcome: RecordEvent["outcome"]): void {
  const counts = new Map<Tell, number>();
  for (const { tell } of records) counts.set(tell, (counts.get(tell) ?? 0) + 1);
  for (const [tell, count] of counts) tell(outcome, count);
}
