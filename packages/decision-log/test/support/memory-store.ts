import type { DecisionRecord, LogicContent } from "@decern/core";
import { feature } from "@decern/core/options";
import {
  erasureLine,
  type RecordBatch,
  type RecordStore,
  type RecordWriter,
  type SealedRecord,
  type StoredChain,
  type StoredQuery,
} from "../../src/index.js";

/** How much of a batch is stored before a write fails. */
type Failure = "nothing" | "some" | "all";

/** Keeps records in memory, in one chain. Tells nobody that it keeps nothing on disk. */
export class MemoryStore implements RecordStore {
  readonly [feature] = "record-store";
  readonly lines: string[] = [];
  readonly erasureLines: string[] = [];
  readonly sealed: SealedRecord[] = [];
  readonly batches: RecordBatch[] = [];
  readonly profiles = new Map<string, string>();
  readonly contents = new Map<string, LogicContent>();
  opened = 0;
  closed = 0;
  /** The next writes fail so, one after another. */
  readonly failures: (Failure | "hang")[] = [];
  /** While set, nothing can be opened or written. */
  down: Error | undefined = undefined;
  /** While set, a write waits for it before it stores anything. */
  gate: Promise<void> | undefined = undefined;
  /** Begins a new chain each time it is opened, as a store may whose chain somebody else has taken. */
  beginsAnew = false;
  readonly #starts: number[] = [];

  async open(): Promise<RecordWriter> {
    this.opened += 1;
    if (this.down !== undefined) throw this.down;
    if (this.#starts.length === 0 || this.beginsAnew) this.#starts.push(this.lines.length);
    const start = this.#starts.at(-1) ?? 0;
    const head = (): string | null => this.sealed.slice(start).at(-1)?.hash ?? null;
    return {
      get head() {
        return head();
      },
      write: (batch) => this.#write(batch),
      close: async () => {},
    };
  }

  async #write(batch: RecordBatch): Promise<void> {
    this.batches.push(batch);
    await this.gate;
    const failure = this.down === undefined ? this.failures.shift() : "nothing";
    if (failure === "hang") return new Promise(() => {});
    const { length } = batch.records;
    const kept = failure === "nothing" ? 0 : failure === "some" ? Math.ceil(length / 2) : length;
    for (const record of batch.records.slice(0, kept)) {
      this.sealed.push({ ...record, hash: record.hash });
      this.lines.push(Buffer.from(record.bytes).toString().trimEnd());
    }
    for (const { hash, text, mediaType } of batch.kept.values()) {
      if (mediaType === undefined) this.profiles.set(hash, text);
      else this.contents.set(hash, { hash, mediaType, document: JSON.parse(text) });
    }
    if (failure !== undefined) throw this.down ?? new Error(`the disk failed after ${kept} records`);
  }

  async *find(query: StoredQuery): AsyncGenerator<DecisionRecord> {
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    for (const record of this.records) {
      const { recordId, subjects, decision } = query;
      if (recordId !== undefined && record.recordId !== recordId) continue;
      if (decision !== undefined && record.decision.id !== decision) continue;
      if (subjects !== undefined && !subjects.includes(record.subject ?? "")) continue;
      if (left <= 0) return;
      left -= 1;
      yield record;
    }
  }

  async profile(hash: string): Promise<unknown> {
    const text = this.profiles.get(hash);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async content(hash: string): Promise<LogicContent | undefined> {
    return this.contents.get(hash);
  }

  async *chains(): AsyncGenerator<StoredChain> {
    for (const [index, start] of this.#starts.entries()) {
      const lines = this.lines.slice(start, this.#starts[index + 1]);
      yield {
        name: `chain ${index + 1}`,
        mayLackFirst: false,
        records: (async function* () {
          for (const [line, text] of lines.entries()) yield { at: `line ${line + 1}`, text };
        })(),
      };
    }
  }

  async *erasures(): AsyncGenerator<StoredChain> {
    const lines = this.erasureLines;
    yield {
      name: "erasures",
      mayLackFirst: false,
      records: (async function* () {
        for (const [line, text] of lines.entries()) yield { at: `erasure ${line + 1}`, text };
      })(),
    };
  }

  async erase(subjects: readonly string[]): Promise<number> {
    let count = 0;
    const records = this.records;
    for (const [index, { payloadStart, payloadEnd }] of this.sealed.entries()) {
      const subject = records[index]?.subject;
      if (subject === undefined || !subjects.includes(subject)) continue;
      const line = Buffer.from(this.lines[index] ?? "");
      if (line.toString("utf8", payloadStart, payloadEnd).startsWith("null")) continue;
      line.fill(" ", payloadStart, payloadEnd).write("null", payloadStart);
      this.lines[index] = line.toString();
      count += 1;
      const { hash = null } = JSON.parse(this.erasureLines.at(-1) ?? "{}");
      const erasure = { erasedAt: "2026-11-22T17:00:00.000Z", records: 1, subject };
      this.erasureLines.push(erasureLine(erasure, hash).text);
    }
    return count;
  }

  async stats() {
    const bytes = this.lines.reduce((sum, line) => sum + line.length + 1, 0);
    const withoutPayload = this.records.filter(({ payload }) => payload === null).length;
    return { records: this.lines.length, bytes, withoutPayload };
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  /** Every record, parsed. */
  get records(): readonly DecisionRecord[] {
    return this.lines.map((line) => JSON.parse(line));
  }
}
