import type { DecisionRecord, Logger, LogicContent, RecordConditions, UnreadableRecord } from "@decern/core";
import type { feature } from "@decern/core/options";
import { canonicalJson } from "@decern/core/tools";
import { sha256 } from "../text/hashing.js";

/**
 * Where records are kept and found. A decision log does everything that is the same for every store: what a record says, its
 * hashes, the order of a chain, what becomes of records while the store is down.
 */
export interface RecordStore {
  readonly [feature]: "record-store";
  /**
   * Begins to write: at start, and again after a write has failed. What a process that was killed left unfinished is repaired
   * and logged.
   */
  open(host: { readonly logger: Required<Logger> }): Promise<RecordWriter>;
  /** Streams records in the order in which each chain was written. */
  find(query: StoredQuery): AsyncIterable<DecisionRecord>;
  /** A host's profile by its hash; `undefined` when there is none. */
  profile(hash: string): Promise<unknown>;
  /** What a decision of `logic` was made from, by `contentHash`; `undefined` when there is none. */
  content(hash: string): Promise<LogicContent | undefined>;
  /** Every chain, for its proof. */
  chains(): AsyncIterable<StoredChain>;
  /** Every chain of erasures, for its proof: one line for each subject of each erasure. */
  erasures(): AsyncIterable<StoredChain>;
  /**
   * Removes the payloads of records for good, and leaves the rest of them. An {@link Erasure} is there before the first payload
   * has gone.
   *
   * @param subjects - as records have them
   * @returns how many records lost their payload
   */
  erase(subjects: readonly string[]): Promise<number>;
  stats(): Promise<StoreStats>;
  /** Frees what the store holds. It can be opened again. */
  close(): Promise<void>;
}

export interface RecordWriter {
  /** `hash` of the last record of this chain; `null` where there is none yet. */
  readonly head: string | null;
  /** Resolves once all of it is on disk. After it has rejected, none or some of it may be. */
  write(batch: RecordBatch): Promise<void>;
  close(): Promise<void>;
}

export interface RecordBatch {
  /** Each is chained to the one before it, the first to the writer's head. */
  readonly records: readonly SealedRecord[];
  /** What these records name by its hash only, by `key`. The store may have it already. */
  readonly kept: ReadonlyMap<string, KeptDocument>;
}

/** What records name by its hash, so that a store keeps it once: a profile, or what a decision of `logic` was made from. */
export interface KeptDocument {
  /** Unlike that of any other: a profile and a content may have the same text, and so the same hash. */
  readonly key: string;
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
  /** `undefined` for a profile. */
  readonly mediaType: string | undefined;
}

export interface SealedRecord {
  /** Milliseconds since the Unix epoch. */
  readonly recordedAtMs: number;
  /** That of the record. Valid until the write has ended, as `bytes`. */
  readonly hash: string;
  /** The record as canonical JSON, which is one line, with its line break: UTF-8. */
  readonly bytes: Uint8Array;
  /** Where in `bytes` the value of `payload` begins and ends. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

export interface StoredQuery extends RecordConditions {
  /** Any of them, as records have them. */
  readonly subjects?: readonly string[] | undefined;
  /** Newest first, by the time of the record. @default false */
  readonly newestFirst?: boolean | undefined;
  /** Maximum number of records to return. @default all */
  readonly limit?: number | undefined;
  /**
   * Called with what was left out because it isn't a record. Files then tell of every line of the time asked for, whatever the other
   * conditions, and such a search takes longer; a database tells of rows that match.
   */
  readonly onUnreadable?: ((record: UnreadableRecord) => void) | undefined;
}

/** One chain of records, in the order in which they were written. */
export interface StoredChain {
  /** For messages, such as the name of its files. */
  readonly name: string;
  /** `hash` of its last record where the store keeps it apart from the records. */
  readonly head?: string | null | undefined;
  /** Whether its first records may have gone because they were too old. */
  readonly mayLackFirst: boolean;
  readonly records: AsyncIterable<StoredRecord>;
}

/** A record as it is stored, which may have been tampered with. */
export interface StoredRecord {
  /** Where it is, such as a file and a line. */
  readonly at: string;
  /** JSON text; anything else is damage. */
  readonly text: string;
  /** Hashes of the host's profiles that are kept where the record is. @default not checked */
  readonly profiles?: Pick<ReadonlySet<string>, "has"> | undefined;
  /** The same of what decisions of `logic` were made from. */
  readonly contents?: Pick<ReadonlySet<string>, "has"> | undefined;
  /** Names what the store keeps next to the record, to search by, and what is not as in the record. */
  readonly wrongCopies?: ((record: Readonly<Record<string, unknown>>) => readonly string[]) | undefined;
}

/** What a store notes of an erasure, for one subject. */
export interface Erasure {
  /** ISO 8601 in UTC. */
  readonly erasedAt: string;
  /** How many payloads it removed. */
  readonly records: number;
  /** As records have it. */
  readonly subject: string;
}

export interface StoreStats {
  readonly records: number;
  /** Absent where there are no records. */
  readonly oldest?: Date | undefined;
  readonly newest?: Date | undefined;
  readonly bytes: number;
  /** Records whose payload was erased, or never written. */
  readonly withoutPayload: number;
  /** What isn't a record. Absent where the store does not look into records to count them. */
  readonly unreadable?: number | undefined;
}

/**
 * Writes an erasure as a store keeps it: canonical JSON, chained to the erasure before it as records are.
 *
 * @param previousHash - `hash` of the erasure before it; `null` for the first
 */
export function erasureLine(
  { erasedAt, records, subject }: Erasure,
  previousHash: string | null,
): { readonly text: string; readonly hash: string } {
  const chained = { erasure: { erasedAt, records, subject }, previousHash, recordVersion: 1 };
  const hash = sha256(canonicalJson(chained) ?? "");
  return { text: canonicalJson({ ...chained, hash }) ?? "", hash };
}
