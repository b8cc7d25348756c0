import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileLock, syncDirectory } from "@decern/core/tools";
import { JoinedViews } from "../lines/line-blocks.js";
import type { FileOrder } from "../lines/times.js";
import { keptLine } from "../record/payload-text.js";
import type { RecordBatch, RecordWriter, SealedRecord } from "../record/record-store.js";
import { type LaneFile, laneFile } from "./lane-file.js";

export class LaneLock {
  readonly lane: number;
  readonly #path: string;
  readonly #lock: FileLock;

  private constructor(lane: number, path: string, lock: FileLock) {
    this.lane = lane;
    this.#path = path;
    this.#lock = lock;
  }

  /** @returns `undefined` while another process writes the lane */
  static async take(directory: string, lane: number): Promise<LaneLock | undefined> {
    const path = lockPath(directory, lane);
    const lock = await FileLock.take(path);
    return lock && new LaneLock(lane, path, lock);
  }

  async check(): Promise<void> {
    this.#mustBe(await this.#lock.check());
  }

  async renew(): Promise<void> {
    this.#mustBe(await this.#lock.renew());
  }

  release(): Promise<void> {
    return this.#lock.release();
  }

  #mustBe(isOurs: boolean): void {
    if (!isOurs) throw new Error(`another process has taken ${this.#path}`);
  }
}

export function isLaneHeld(directory: string, lane: number): Promise<boolean> {
  return FileLock.isHeld(lockPath(directory, lane));
}

function lockPath(directory: string, lane: number): string {
  return join(directory, `${lane}.lock`);
}

interface LaneWriterOptions {
  readonly directory: string;
  readonly lock: LaneLock;
  readonly head: string | null;
  readonly sequence: number;
  readonly rotateBytes: number;
  readonly onRotated: () => Promise<void>;
}

/** The part of the file being written that belongs to the chain. Bytes behind it may still be removed. */
export interface WrittenFile {
  readonly name: string;
  readonly length: number;
}

interface OpenFile {
  readonly file: LaneFile;
  readonly handle: FileHandle;
  readonly day: number;
  /** Keys of the documents that it has. */
  readonly kept: Set<string>;
  /** The latest time of a record in it, milliseconds since the Unix epoch. */
  newestMs: number;
  /** Bytes that belong to the chain. */
  length: number;
}

const dayMs = 86_400_000;

/**
 * Searches for the newest records read a file from its end, and rely on this. Records are written when their evaluations end, and
 * have the time at which these began. Short files may have any order: there, a new file for each late record would be too many.
 */
export const laneOrder: FileOrder = { freeBytes: 4 * 1024 * 1024, lateMs: 5000 };

/** Appends to the chain of one lane, in files that no other process has written. */
export class LaneWriter implements RecordWriter {
  readonly #options: LaneWriterOptions;
  #head: string | null;
  #sequence: number;
  #current: OpenFile | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: LaneWriterOptions) {
    this.#options = options;
    this.#head = options.head;
    this.#sequence = options.sequence;
  }

  get head(): string | null {
    return this.#head;
  }

  get written(): WrittenFile | undefined {
    return this.#current && { name: this.#current.file.name, length: this.#current.length };
  }

  async idle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  write(batch: RecordBatch): Promise<void> {
    const writing = this.idle().then(() => this.#write(batch));
    this.#writing = writing;
    return writing;
  }

  async close(): Promise<void> {
    await this.idle();
    await this.#closeFile();
  }

  async #write(batch: RecordBatch): Promise<void> {
    if (this.#hasFailed) throw new Error("The writer has failed before; open a new one");
    this.#hasFailed = true;
    await this.#writeAll(batch);
    this.#hasFailed = false;
  }

  async #writeAll({ records, kept }: RecordBatch): Promise<void> {
    await this.#options.lock.check();
    const lines = new JoinedViews();
    this.#addKept(kept, lines);
    let length = 0;
    let last: SealedRecord | undefined;
    for (const record of records) {
      if (this.#mustRotate(record, length)) {
        await this.#append(lines.take(), last);
        length = 0;
        await this.#rotate(record);
        this.#addKept(kept, lines);
      }
      if (this.#current !== undefined)
        this.#current.newestMs = Math.max(this.#current.newestMs, record.recordedAtMs);
      const { bytes } = record;
      lines.add(bytes);
      length += bytes.length;
      last = record;
    }
    await this.#append(lines.take(), last);
  }

  /**
   * A file has the records of one day, and late ones of the day before: this is how readers know from its first record which
   * instants it can have.
   */
  #mustRotate(record: SealedRecord, bytes: number): boolean {
    if (this.#current === undefined) return true;
    const { length, day, newestMs } = this.#current;
    const days = dayOf(record) - day;
    const isLate = record.recordedAtMs < newestMs - laneOrder.lateMs && length + bytes >= laneOrder.freeBytes;
    return isLate || days > 0 || days < -1 || length + bytes >= this.#options.rotateBytes;
  }

  /** Adds the lines of those documents, used ones included, that the file lacks. */
  #addKept(kept: RecordBatch["kept"], lines: JoinedViews): void {
    const seen = this.#current?.kept;
    if (seen === undefined) return;
    for (const [key, document] of kept) {
      if (seen.has(key)) continue;
      seen.add(key);
      lines.add(Buffer.from(keptLine(document)));
    }
  }

  async #rotate(first: SealedRecord): Promise<void> {
    await this.#closeFile();
    const { directory, lock, onRotated } = this.#options;
    await lock.renew();
    const file = laneFile(directory, lock.lane, this.#sequence);
    const handle = await open(file.path, "wx");
    this.#sequence += 1;
    this.#current = {
      file,
      handle,
      day: dayOf(first),
      kept: new Set(),
      newestMs: first.recordedAtMs,
      length: 0,
    };
    await syncDirectory(directory);
    await onRotated();
  }

  async #append(blocks: readonly Uint8Array[], last: SealedRecord | undefined): Promise<void> {
    const current = this.#current;
    if (current === undefined || blocks.length === 0) return;
    let end = current.length;
    try {
      for (const block of blocks) end = await writeAll(current.handle, block, end);
      await current.handle.datasync();
    } catch (error) {
      // A reader could not read past a torn line. If this fails too, the next `open` repairs the file.
      await current.handle.truncate(current.length).catch(() => {});
      throw error;
    }
    current.length = end;
    if (last !== undefined) this.#head = last.hash;
  }

  async #closeFile(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    await current.handle.close();
    if (current.length === 0) await rm(current.file.path, { force: true });
  }
}

async function writeAll(handle: FileHandle, block: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < block.length; ) {
    const { bytesWritten } = await handle.write(block, done, block.length - done, position + done);
    done += bytesWritten;
  }
  return position + block.length;
}

function dayOf(record: SealedRecord): number {
  return Math.floor(record.recordedAtMs / dayMs);
}
