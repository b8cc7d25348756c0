import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileLock, hasCode, syncDirectory } from "@decern/core/tools";
import type { RecordFile } from "../lines/line-blocks.js";
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

/** Every file of records, by lane and in the order in which they were written. A directory that does not exist has none. */
export async function listLaneFiles(directory: string): Promise<readonly LaneFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return names
    .flatMap((name) => asLaneFile({ name, path: join(directory, name) }) ?? [])
    .sort((a, b) => a.lane - b.lane || a.sequence - b.sequence);
}

/** What the name of a file tells; `undefined` for one that isn't a lane's. */
export function asLaneFile({ name, path }: RecordFile): LaneFile | undefined {
  const [, lane, sequence] = pattern.exec(name) ?? [];
  return lane === undefined || sequence === undefined
    ? undefined
    : { lane: Number(lane), sequence: Number(sequence), name, path };
}

/** The files of each lane. */
export async function listLanes(directory: string): Promise<ReadonlyMap<number, readonly LaneFile[]>> {
  const lanes = new Map<number, LaneFile[]>();
  for (const file of await listLaneFiles(directory)) {
    const files = lanes.get(file.lane);
    if (files === undefined) lanes.set(file.lane, [file]);
    else files.push(file);
  }
  return lanes;
}

/** The right to write a lane. */
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
    const path = pathOf(directory, lane);
    const lock = await FileLock.take(path);
    return lock && new LaneLock(lane, path, lock);
  }

  /** Makes sure that the lane is still this one's, unless that was seen a moment ago. */
  async check(): Promise<void> {
    if (!(await this.#lock.check())) throw this.#lost();
  }

  async renew(): Promise<void> {
    if (!(await this.#lock.renew())) throw this.#lost();
  }

  release(): Promise<void> {
    return this.#lock.release();
  }

  #lost(): Error {
    return new Error(`another process has taken ${this.#path}`);
  }
}

/** Whether a lane has a writer, here or elsewhere. */
export function isLaneHeld(directory: string, lane: number): Promise<boolean> {
  return FileLock.isHeld(pathOf(directory, lane));
}

function pathOf(directory: string, lane: number): string {
  return join(directory, `${lane}.lock`);
}

const dayMs = 86_400_000;

/** Deletes the first files of each chain while all their records are too old. The last file of a chain stays: it has the head. */
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
