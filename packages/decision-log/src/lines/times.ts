import { stat } from "node:fs/promises";
import { lineBlocks, linesIn, type RecordFile, timeOf } from "./line-blocks.js";

const dayMs = 86_400_000;

/** Possible times of the records of a file, ISO 8601: the first, and the end. */
export interface FileTimes {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads the first record of a file, which tells about all of them: a file has the records of one day, and late ones of the
 * day before.
 *
 * @returns `undefined` for a file without records
 */
export async function fileTimes(file: RecordFile): Promise<FileTimes | undefined> {
  const epochMs = Date.parse((await firstTime(file)) ?? "");
  if (Number.isNaN(epochMs)) return undefined;
  const day = Math.floor(epochMs / dayMs);
  return {
    from: new Date((day - 1) * dayMs).toISOString(),
    to: new Date((day + 1) * dayMs).toISOString(),
  };
}

/** The time of the first record of a file, ISO 8601; `undefined` for a file without records. */
export async function firstTime({ path }: RecordFile): Promise<string | undefined> {
  for await (const { bytes, isTorn } of lineBlocks(path, { blockBytes: 16 * 1024 })) {
    for (const line of isTorn ? [] : linesIn(bytes)) {
      const time = timeOf(line);
      if (time !== undefined && !Number.isNaN(Date.parse(time))) return time;
    }
  }
  return undefined;
}

/** Some lines of a file, and the times of their records; ISO 8601, empty for none. */
export interface TimedBlock {
  readonly start: number;
  readonly end: number;
  readonly oldest: string;
  readonly newest: string;
}

/** How far the records of a file can be out of order. */
export interface FileOrder {
  /** Behind this many bytes, … */
  readonly freeBytes: number;
  /** … no record is older by more milliseconds than any before it in the file. */
  readonly lateMs: number;
}

/** Nothing is known of files that a user has put together. */
export const anyOrder: FileOrder = { freeBytes: 0, lateMs: Number.POSITIVE_INFINITY };

/**
 * The latest time that records before a block can have; ISO 8601.
 *
 * @param bound - that of the records up to the end of the block
 */
export function boundBefore(
  { start, oldest }: TimedBlock,
  { freeBytes, lateMs }: FileOrder,
  bound: string,
): string {
  const latestMs = Date.parse(oldest) + lateMs;
  if (start < freeBytes || !Number.isFinite(latestMs)) return bound;
  const latest = new Date(latestMs).toISOString();
  return latest < bound ? latest : bound;
}

interface Known {
  readonly stamp: string;
  readonly blocks: Map<number, TimedBlock>;
}

/** A block has the lines that begin in so many bytes of a file. */
const blockBytes = 512 * 1024;
/** Times of this many blocks are kept, about 250 of them for a file of 128 MB. */
const mostBlocks = 20_000;

/** Reads files in blocks, to learn of which times their records are. A block is read for that once, unless its file changes. */
export class BlockTimes {
  readonly #known = new Map<string, Known>();
  #count = 0;

  /**
   * Which block of a file is its last one; -1 for a file that is empty or no longer exists.
   *
   * @param end - where to stop, in bytes. @default the end of the file
   */
  async last(path: string, end: number | undefined): Promise<number> {
    const { size, stamp } = await stampOf(path, end);
    if (this.#known.get(path)?.stamp !== stamp) this.#forget(path);
    if (size > 0 && !this.#known.has(path)) this.#known.set(path, { stamp, blocks: new Map() });
    return Math.ceil(Math.min(size, end ?? size) / blockBytes) - 1;
  }

  /** @param index - of the block, from 0 */
  async at(path: string, index: number, end: number | undefined, isTornLine: boolean): Promise<TimedBlock> {
    const known = this.#known.get(path);
    const read = known?.blocks.get(index) ?? (await timedBlock(path, index, end, isTornLine));
    if (known === undefined || known.blocks.has(index)) return read;
    known.blocks.set(index, read);
    this.#count += 1;
    // The files that were read last are searched next.
    this.#known.delete(path);
    this.#known.set(path, known);
    for (const [oldest] of this.#known) {
      if (this.#count <= mostBlocks || oldest === path) break;
      this.#forget(oldest);
    }
    return read;
  }

  #forget(path: string): void {
    this.#count -= this.#known.get(path)?.blocks.size ?? 0;
    this.#known.delete(path);
  }
}

async function stampOf(
  path: string,
  end: number | undefined,
): Promise<{ readonly size: number; readonly stamp: string }> {
  return stat(path).then(
    ({ ino, size, mtimeMs, ctimeMs }) => ({ size, stamp: `${ino} ${size} ${mtimeMs} ${ctimeMs} ${end}` }),
    () => ({ size: 0, stamp: "" }),
  );
}

async function timedBlock(
  path: string,
  index: number,
  end: number | undefined,
  mayLackLastNewline: boolean,
): Promise<TimedBlock> {
  const from = index * blockBytes;
  let start = from;
  let until = from;
  let oldest = "";
  let newest = "";
  // From the byte before: if it is a newline, the first line begins in this block.
  const blocks = lineBlocks(path, { start: Math.max(0, from - 1), end, blockBytes: blockBytes + 64 * 1024 });
  for await (const { bytes, offset, isTorn } of blocks) {
    if (isTorn && !mayLackLastNewline) break;
    for (const line of linesIn(bytes)) {
      const lineStart = offset + line.byteOffset - bytes.byteOffset;
      if (lineStart < from) {
        start = lineStart + line.length + 1;
        until = start;
        continue;
      }
      if (lineStart >= from + blockBytes) return { start, end: until, oldest, newest };
      until = lineStart + line.length + (isTorn ? 0 : 1);
      const time = timeOf(line);
      if (time === undefined) continue;
      if (oldest === "" || time < oldest) oldest = time;
      if (time > newest) newest = time;
    }
  }
  return { start, end: until, oldest, newest };
}
