import { lineBlocks, newline } from "../lines/line-blocks.js";
import type { RecordFile } from "../lines/record-file.js";
import { timeOf } from "../lines/record-text.js";

const dayMs = 86_400_000;

/** Which instants the records of a file can have, as ISO 8601: `from` is the first, `to` the first that is too late. */
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

/** The instant of the first record of a file, ISO 8601; `undefined` for a file without records. */
export async function firstTime({ path }: RecordFile): Promise<string | undefined> {
  for await (const { bytes, isTorn } of lineBlocks(path, { blockBytes: 16 * 1024 })) {
    for (let from = 0; !isTorn && from < bytes.length; ) {
      const end = bytes.indexOf(newline, from);
      const time = timeOf(bytes.subarray(from, end));
      if (time !== undefined && !Number.isNaN(Date.parse(time))) return time;
      from = end + 1;
    }
  }
  return undefined;
}
