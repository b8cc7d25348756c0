import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "@decern/core";
import { hasCode, syncDirectory } from "@decern/core/tools";
import { erasureLane, laneFile, listLaneFiles, repairLane } from "../lanes/lane-file.js";
import { LaneLock } from "../lanes/lane-writer.js";
import { lineBlocks, newline, payloadRange } from "../lines/line-blocks.js";
import { erasureLine } from "../record/record-store.js";

/** Noting an erasure takes another process a moment; the lock of one that was killed is free after a minute. */
const patienceMs = 120_000;

/**
 * Adds an erasure to the lane of erasures. That lane has one file, which `keepDays` leaves alone: payloads may be missing for
 * longer than the records last that were written when they were erased.
 *
 * @param counts - how many payloads of each subject there are to erase
 * @throws Error where another process keeps the lane
 */
async function noteErasure(
  directory: string,
  counts: ReadonlyMap<string, number>,
  logger: Required<Logger>,
): Promise<void> {
  const lock = await waitForLock(directory);
  try {
    const file = laneFile(directory, erasureLane, 1);
    const before = await repaired(file.path, () => repairLane([file], logger));
    let head = headOf(before);
    let lines = "";
    const erasedAt = new Date().toISOString();
    for (const [subject, records] of counts) {
      const { text, hash } = erasureLine({ erasedAt, records, subject }, head);
      lines += `${text}\n`;
      head = hash;
    }
    const handle = await open(file.path, "a");
    try {
      await handle.writeFile(lines);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await syncDirectory(directory);
  } finally {
    await lock.release();
  }
}

async function waitForLock(directory: string): Promise<LaneLock> {
  for (const until = Date.now() + patienceMs; ; ) {
    const lock = await LaneLock.take(directory, erasureLane);
    if (lock !== undefined) return lock;
    if (Date.now() > until) throw new Error("Another process keeps the file of erasures");
    await setTimeout(20);
  }
}

async function repaired(path: string, repair: () => Promise<unknown>): Promise<string> {
  try {
    await repair();
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}

/** `hash` of the last line. Where that cannot be read, the chain is broken already, and begins again. */
function headOf(text: string): string | null {
  try {
    const line: { hash?: unknown } = Object(JSON.parse(text.trimEnd().split("\n").at(-1) ?? ""));
    return typeof line.hash === "string" ? line.hash : null;
  } catch {
    return null;
  }
}

interface Ranges {
  readonly file: string;
  readonly ranges: readonly (readonly [number, number])[];
}

const intentPattern = /^erasure-[0-9a-f-]{36}\.json$/;
const before = ',"payload":';
const after = ',"payloadHash":';

/**
 * Overwrites payloads in place with `null` and spaces: a line stays JSON and keeps its length, so nothing moves, also not
 * under a process that is appending to the file.
 *
 * @returns how many records lost their payload
 */
export async function erasePayloads(
  directory: string,
  subjects: readonly string[],
  logger: Required<Logger>,
): Promise<number> {
  await finishErasures(directory);
  const all: Ranges[] = [];
  const counts = new Map<string, number>();
  for (const { name, path } of await listLaneFiles(directory)) {
    const ranges = await payloadsOf(path, subjects, counts);
    if (ranges.length > 0) all.push({ file: name, ranges });
  }
  if (all.length === 0) return 0;
  // Before anything has gone: what is missing without it was destroyed.
  await noteErasure(directory, counts, logger);
  const intent = join(directory, `erasure-${randomUUID()}.json`);
  await writeDurably(intent, JSON.stringify(all));
  await syncDirectory(directory);
  await carryOut(directory, intent);
  return all.reduce((sum, { ranges }) => sum + ranges.length, 0);
}

/** Repeats what an interrupted process may have done in part. */
export async function finishErasures(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (intentPattern.test(name)) await carryOut(directory, join(directory, name));
  }
}

async function payloadsOf(
  path: string,
  subjects: readonly string[],
  counts: Map<string, number>,
): Promise<readonly (readonly [number, number])[]> {
  const needles = [...new Set(subjects)].map((subject) => ({
    subject,
    needle: Buffer.from(`"subject":${JSON.stringify(subject)}`),
  }));
  const ranges: (readonly [number, number])[] = [];
  for await (const { bytes, offset, isTorn } of lineBlocks(path)) {
    for (const { subject, needle } of isTorn ? [] : needles) {
      for (let at = bytes.indexOf(needle); at !== -1; ) {
        const start = bytes.lastIndexOf(newline, at) + 1;
        const end = bytes.indexOf(newline, at);
        const line = bytes.subarray(start, end);
        const payload = payloadRange(line);
        // Text before the end of the payload is part of the payload, and only looks like a subject.
        if (payload !== undefined && at - start > payload.end && line[payload.start] === 0x7b) {
          ranges.push([offset + start + payload.start, payload.end - payload.start]);
          counts.set(subject, (counts.get(subject) ?? 0) + 1);
        }
        at = bytes.indexOf(needle, payload !== undefined && at - start <= payload.end ? at + 1 : end);
      }
    }
  }
  return ranges;
}

async function carryOut(directory: string, intent: string): Promise<void> {
  const text = await readFile(intent, "utf8").catch((error: unknown) => {
    // Another process has finished it.
    if (hasCode(error, "ENOENT")) return "[]";
    throw error;
  });
  for (const { file, ranges } of readIntent(text)) await overwrite(join(directory, file), ranges);
  await rm(intent, { force: true });
  await syncDirectory(directory);
}

async function overwrite(path: string, ranges: Ranges["ranges"]): Promise<void> {
  const handle = await open(path, "r+").catch((error: unknown) => {
    // Too old, and deleted since.
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    for (const [start, length] of ranges) {
      const around = Buffer.alloc(before.length + length + after.length);
      await handle.read(around, 0, around.length, start - before.length);
      const text = around.toString("latin1");
      // The writer may have cut off a batch that it could not write completely, so check the place.
      if (!text.startsWith(before) || !text.endsWith(after)) continue;
      const blank = Buffer.alloc(length, " ");
      blank.write("null");
      await handle.write(blank, 0, length, start);
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function readIntent(text: string): readonly Ranges[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error("not an intent");
  return value.map((entry: unknown) => {
    const { file, ranges }: { file?: unknown; ranges?: unknown } = Object(entry);
    if (typeof file !== "string" || !Array.isArray(ranges)) throw new Error("not an intent");
    return {
      file,
      ranges: ranges.map((range: unknown) => {
        const [start, length]: unknown[] = Array.isArray(range) ? range : [];
        return [Number(start), Number(length)] as const;
      }),
    };
  });
}

async function writeDurably(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`;
  await writeFile(unfinished, content, { flush: true });
  await rename(unfinished, path);
}
