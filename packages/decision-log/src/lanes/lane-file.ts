import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@decern/core";
import { hasCode, syncDirectory } from "@decern/core/tools";
import { newline, type RecordFile, recordHash } from "../lines/line-blocks.js";
import { fileTimes } from "../lines/times.js";

/** One file of a lane. A lane is one chain: its files, in the order of their numbers. */
export interface LaneFile extends RecordFile {
  readonly lane: number;
  readonly sequence: number;
}

/** The lane of erasures. Writers of records begin with the next one. */
export const erasureLane = 0;

const pattern = /^(\d{1,9})-(\d{8,15})\.ndjson$/;

export function laneFile(directory: string, lane: number, sequence: number): LaneFile {
  const name = `${lane}-${String(sequence).padStart(8, "0")}.ndjson`;
  return { lane, sequence, name, path: join(directory, name) };
}

/** All files of records, by lane and number. A directory that does not exist has none. */
export async function listLaneFiles(directory: string): Promise<readonly LaneFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return names
    .flatMap((name) => asLaneFile({ name, path: join(directory, name) }) ?? [])
    .sort((a, b) => a.lane - b.lane || a.sequence - b.sequence);
}

/** The lane and number in a file's name; `undefined` for other names. */
export function asLaneFile({ name, path }: RecordFile): LaneFile | undefined {
  const [, lane, sequence] = pattern.exec(name) ?? [];
  return lane === undefined || sequence === undefined
    ? undefined
    : { lane: Number(lane), sequence: Number(sequence), name, path };
}

export function grouped<Key, File>(files: readonly File[], keyOf: (file: File) => Key): Map<Key, File[]> {
  const groups = new Map<Key, File[]>();
  for (const file of files) {
    const group = groups.get(keyOf(file));
    if (group === undefined) groups.set(keyOf(file), [file]);
    else group.push(file);
  }
  return groups;
}

export async function listLanes(directory: string): Promise<ReadonlyMap<number, readonly LaneFile[]>> {
  return grouped(await listLaneFiles(directory), ({ lane }) => lane);
}

const dayMs = 86_400_000;

/** Deletes the first files of each chain while all their records are too old. The last file of a chain stays, because it has the head. */
export async function deleteOldFiles(directory: string, keepDays: number): Promise<void> {
  const limit = new Date(Date.now() - keepDays * dayMs).toISOString();
  let hasDeleted = false;
  for (const files of (await listLanes(directory)).values()) {
    for (const file of files.slice(0, -1)) {
      const times = await fileTimes(file);
      if (times !== undefined && times.to > limit) break;
      await rm(file.path, { force: true });
      hasDeleted = true;
    }
  }
  if (hasDeleted) await syncDirectory(directory);
}

const stepBytes = 64 * 1024;

/**
 * Cuts off what a process that was killed had not written to the end, and finds the head of the chain.
 *
 * @param files - of one lane, which no process writes
 */
export async function repairLane(
  files: readonly LaneFile[],
  logger: Required<Logger>,
): Promise<{ readonly head: string | null }> {
  const last = files.at(-1);
  if (last !== undefined) await cutTornLine(last, logger);
  for (const { path } of files.toReversed()) {
    const head = await headOf(path);
    if (head !== undefined) return { head };
  }
  return { head: null };
}

async function cutTornLine({ path, name }: LaneFile, logger: Required<Logger>): Promise<void> {
  const reader = await open(path, "r");
  const { size, end } = await endOfLines(reader).finally(() => reader.close());
  if (end === size) return;
  const handle = await open(path, "r+");
  try {
    await handle.truncate(end);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  logger.warn({ file: name, bytes: size - end }, "Removed an incomplete last record");
}

async function endOfLines(handle: FileHandle): Promise<{ readonly size: number; readonly end: number }> {
  const { size } = await handle.stat();
  for await (const { bytes, start } of blocksBackwards(handle, size)) {
    const at = bytes.lastIndexOf(newline);
    if (at !== -1) return { size, end: start + at + 1 };
  }
  return { size, end: 0 };
}

/** `hash` of the last record of a file; `undefined` for a file without records. */
async function headOf(path: string): Promise<string | undefined> {
  const handle = await open(path, "r");
  try {
    const { end } = await endOfLines(handle);
    let rest = Buffer.alloc(0);
    for await (const { bytes } of blocksBackwards(handle, end)) {
      rest = Buffer.concat([bytes, rest]);
      for (let from = rest.length - 1; from > 0; ) {
        const before = rest.lastIndexOf(newline, from - 1);
        if (before === -1) break;
        const hash = recordHash(rest.toString("utf8", before + 1, from));
        if (hash !== undefined) return hash;
        from = before;
        rest = rest.subarray(0, before + 1);
      }
    }
    return recordHash(rest.toString("utf8"));
  } finally {
    await handle.close();
  }
}

async function* blocksBackwards(
  handle: FileHandle,
  end: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly start: number }> {
  for (let until = end; until > 0; ) {
    const start = Math.max(0, until - stepBytes);
    const bytes = Buffer.alloc(until - start);
    await handle.read(bytes, 0, bytes.length, start);
    yield { bytes, start };
    until = start;
  }
}
