import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../lines/file-errors.js";
import type { RecordFile } from "../lines/record-file.js";

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
    if (isMissing(error)) return [];
    throw error;
  });
  return names
    .flatMap((name) => asLaneFile({ name, path: join(directory, name) }) ?? [])
    .sort((a, b) => a.lane - b.lane || a.sequence - b.sequence);
}

/** What the name of a file tells; `undefined` for one that is no lane's. */
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
