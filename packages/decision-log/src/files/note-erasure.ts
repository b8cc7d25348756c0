import { open, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "@decern/core";
import { erasureLine } from "@decern/core/tools";
import { sha256 } from "../record/sha256.js";
import { erasureLane, laneFile } from "./lanes/lane-file.js";
import { LaneLock } from "./lanes/lane-lock.js";
import { repairLane } from "./lanes/lane-repair.js";
import { syncDirectory } from "./lanes/sync-directory.js";
import { isMissing } from "./lines/file-errors.js";

/** How long to wait for another process that notes an erasure, which takes it a moment, and for one that was killed. */
const patienceMs = 120_000;

/**
 * Adds an erasure to the lane of erasures. That lane has one file, which `keepDays` leaves alone: payloads may be missing for
 * longer than the records last that were written when they were erased.
 *
 * @param counts - how many payloads of each subject there are to erase
 * @throws Error where another process keeps the lane
 */
export async function noteErasure(
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
      const { text, hash } = erasureLine({ erasedAt, records, subject }, head, sha256);
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

/** What is in a file, without a line that was not written to its end. */
async function repaired(path: string, repair: () => Promise<unknown>): Promise<string> {
  try {
    await repair();
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
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
