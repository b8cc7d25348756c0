import { type FileHandle, open } from "node:fs/promises";
import type { Logger } from "@decern/core";
import { newline, recordHash } from "../lines/line-blocks.js";
import type { LaneFile } from "./lane-file.js";

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

/** Where the last newline ends. */
async function endOfLines(handle: FileHandle): Promise<{ readonly size: number; readonly end: number }> {
  const { size } = await handle.stat();
  for await (const { bytes, start } of blocksBackwards(handle, size)) {
    const at = bytes.lastIndexOf(newline);
    if (at !== -1) return { size, end: start + at + 1 };
  }
  return { size, end: 0 };
}

/** `hash` of the last record of a file; `undefined` where it has none. */
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
