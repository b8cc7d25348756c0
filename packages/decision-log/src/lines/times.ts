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

interface Known {
  readonly stamp: string;
  readonly blocks: readonly TimedBlock[];
}

const blockBytes = 512 * 1024;
/** The blocks of this many files are kept: some 100 kB for a file of 128 MB. */
const mostFiles = 64;
/** The newest time of this many files is kept, so that a search need not read all of them again. */
const mostNewest = 10_000;

/**
 * Tells in which blocks of a file the newest records are: the records of a file end in another order than they began, and a
 * clock may be set back. A file is read for that once, unless it changes.
 */
export class BlockTimes {
  readonly #known = new Map<string, Known>();
  readonly #newest = new Map<string, { readonly stamp: string; readonly newest: string }>();

  /** @param end - where to stop, in bytes. @default the end of the file */
  async of(
    path: string,
    end: number | undefined,
    mayLackLastNewline: boolean,
  ): Promise<readonly TimedBlock[]> {
    const stamp = `${await stampOf(path)} ${end}`;
    const known = this.#known.get(path);
    this.#known.delete(path);
    const blocks = known?.stamp === stamp ? known.blocks : await timedBlocks(path, end, mayLackLastNewline);
    keep(this.#known, path, { stamp, blocks }, mostFiles);
    const times = blocks.map(({ newest }) => newest).sort();
    // Lines without a time may be of any.
    if (times[0] !== "") keep(this.#newest, path, { stamp, newest: times.at(-1) ?? "" }, mostNewest);
    return blocks;
  }

  /** The newest time in a file that was read for its blocks, unless it has changed since; `undefined` where it is not known. */
  async newestIn(path: string, end: number | undefined): Promise<string | undefined> {
    const known = this.#newest.get(path);
    return known?.stamp === `${await stampOf(path)} ${end}` ? known.newest : undefined;
  }
}

/** Without the entry that was kept first, where there would be too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.set(key, value);
  const [first] = map.keys();
  if (first !== undefined && map.size > most) map.delete(first);
}

/** A file that no longer exists has no blocks either. */
async function stampOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ino, size, mtimeMs, ctimeMs }) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    () => "",
  );
}

async function timedBlocks(
  path: string,
  end: number | undefined,
  mayLackLastNewline: boolean,
): Promise<readonly TimedBlock[]> {
  const blocks: TimedBlock[] = [];
  for await (const { bytes, offset, isTorn } of lineBlocks(path, { end, blockBytes })) {
    if (isTorn && !mayLackLastNewline) continue;
    let oldest = "";
    let newest = "";
    for (const line of linesIn(bytes)) {
      const time = timeOf(line);
      if (time === undefined) continue;
      if (oldest === "" || time < oldest) oldest = time;
      if (time > newest) newest = time;
    }
    blocks.push({ start: offset, end: offset + bytes.length, oldest, newest });
  }
  return blocks;
}
