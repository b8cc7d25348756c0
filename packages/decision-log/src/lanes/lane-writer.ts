import { type FileHandle, open, rm } from "node:fs/promises";
import { syncDirectory } from "@decern/core/tools";
import { profileLine } from "../payload/payload-text.js";
import type { RecordBatch, RecordWriter, SealedRecord } from "../record/record-store.js";
import { type LaneFile, type LaneLock, laneFile } from "./lane-file.js";

/** Joins views of memory that follow one another, so that a batch is written with one call. */
function* joinAdjacent(views: readonly Uint8Array[]): Generator<Uint8Array> {
  let first: Uint8Array | undefined;
  let length = 0;
  for (const view of views) {
    if (first?.buffer === view.buffer && first.byteOffset + length === view.byteOffset) {
      length += view.length;
      continue;
    }
    if (first !== undefined) yield new Uint8Array(first.buffer, first.byteOffset, length);
    first = view;
    length = view.length;
  }
  if (first !== undefined) yield new Uint8Array(first.buffer, first.byteOffset, length);
}

interface LaneWriterOptions {
  readonly directory: string;
  readonly lock: LaneLock;
  readonly head: string | null;
  /** Number of the next file. */
  readonly sequence: number;
  readonly rotateBytes: number;
  /** Called after a file has been created. */
  readonly onRotated: () => Promise<void>;
}

/** The file that a store is writing: what is in it for good. More may be there, and is not yet a part of the chain. */
export interface WrittenFile {
  readonly name: string;
  /** In bytes. */
  readonly length: number;
}

/** The file that is being written. */
interface OpenFile {
  readonly file: LaneFile;
  readonly handle: FileHandle;
  /** The day of its first record, in days since the Unix epoch. */
  readonly day: number;
  /** Hashes of the profiles in it. */
  readonly profiles: Set<string>;
  /** What is in it for good, in bytes. */
  length: number;
}

const dayMs = 86_400_000;

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

  get lane(): number {
    return this.#options.lock.lane;
  }

  get written(): WrittenFile | undefined {
    return this.#current && { name: this.#current.file.name, length: this.#current.length };
  }

  /** Waits for what is being written. */
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

  async #writeAll({ records, profiles }: RecordBatch): Promise<void> {
    await this.#options.lock.check();
    let lines: Uint8Array[] = this.#profileLines(profiles);
    let bytes = 0;
    let head = this.#head;
    for (const record of records) {
      if (this.#mustRotate(record, bytes)) {
        await this.#append(lines, head);
        bytes = 0;
        await this.#rotate(record);
        lines = this.#profileLines(profiles);
      }
      lines.push(record.bytes);
      bytes += record.bytes.length;
      head = record.hash;
    }
    await this.#append(lines, head);
  }

  /**
   * A file has the records of one day, and late ones of the day before: this is how readers know from its first record which
   * instants it can have.
   */
  #mustRotate(record: SealedRecord, bytes: number): boolean {
    if (this.#current === undefined) return true;
    const { length, day } = this.#current;
    const days = dayOf(record) - day;
    return days > 0 || days < -1 || length + bytes >= this.#options.rotateBytes;
  }

  /** The lines of those profiles, used ones included, that the file does not have yet. */
  #profileLines(profiles: RecordBatch["profiles"]): Uint8Array[] {
    const seen = this.#current?.profiles;
    if (seen === undefined) return [];
    const added = [...profiles].filter(([hash]) => !seen.has(hash));
    for (const [hash] of added) seen.add(hash);
    return added.map(([hash, profile]) => Buffer.from(profileLine(hash, profile)));
  }

  async #rotate(first: SealedRecord): Promise<void> {
    await this.#closeFile();
    const { directory, lock, onRotated } = this.#options;
    await lock.renew();
    const file = laneFile(directory, lock.lane, this.#sequence);
    const handle = await open(file.path, "wx");
    this.#sequence += 1;
    this.#current = { file, handle, day: dayOf(first), profiles: new Set(), length: 0 };
    await syncDirectory(directory);
    await onRotated();
  }

  async #append(lines: readonly Uint8Array[], head: string | null): Promise<void> {
    const current = this.#current;
    if (current === undefined || lines.length === 0) return;
    let end = current.length;
    try {
      for (const block of joinAdjacent(lines)) end = await writeAll(current.handle, block, end);
      await current.handle.datasync();
    } catch (error) {
      // What follows a torn line could not be read. If this fails too, the next `open` repairs the file.
      await current.handle.truncate(current.length).catch(() => {});
      throw error;
    }
    current.length = end;
    this.#head = head;
  }

  async #closeFile(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    await current.handle.close();
    if (current.length === 0) await rm(current.file.path, { force: true });
  }
}

/** @returns where the block ends in the file */
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
