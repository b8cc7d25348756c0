import { type FileHandle, open } from "node:fs/promises";
import type { DecisionRecord, StoredQuery } from "@decern/core";
import { fileTimes } from "./lanes/file-times.js";
import { type LaneFile, listLanes } from "./lanes/lane-file.js";
import type { WrittenFile } from "./lanes/lane-writer.js";
import { isMissing } from "./lines/file-errors.js";
import { lineBlocks } from "./lines/line-blocks.js";
import { LineFilter } from "./lines/line-filter.js";
import { mergeByTime, type RecordSource } from "./merge-by-time.js";

/** Where in a file a record is that may match. */
interface Place {
  readonly time: string;
  readonly start: number;
  readonly end: number;
}

/** Records that are read back in one go. */
const portionRecords = 256;
const portionBytes = 8 * 1024 * 1024;

/** Streams the records of a directory that match. Lines that are no records are left out: a proof finds them. */
export function findRecords(
  directory: string,
  query: StoredQuery,
  written: () => WrittenFile | undefined,
): AsyncGenerator<DecisionRecord> {
  const { limit = Number.POSITIVE_INFINITY, newestFirst = false, subjects } = query;
  const sources = async (): Promise<readonly RecordSource[]> => {
    if (subjects?.length === 0) return [];
    const lanes = [...(await listLanes(directory)).values()];
    if (newestFirst) return sourcesBackwards(lanes.flat(), query, written);
    return lanes.map((files) => ({ bound: "", portions: () => forwards(files, query, written) }));
  };
  return mergeByTime(sources, newestFirst, limit);
}

async function* forwards(
  files: readonly LaneFile[],
  query: StoredQuery,
  written: () => WrittenFile | undefined,
): AsyncGenerator<Iterable<DecisionRecord>> {
  const filter = new LineFilter(query);
  for (const file of files) {
    if (!(await canMatch(file, query))) continue;
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end: endOf(file, written()) })) {
      if (!isTorn) yield recordsIn(bytes, filter);
    }
  }
}

function* recordsIn(bytes: Buffer, filter: LineFilter): Generator<DecisionRecord> {
  for (const { start, end } of filter.candidates(bytes)) {
    const record = filter.parse(bytes.subarray(start, end));
    if (record !== undefined) yield record;
  }
}

/** Where to stop reading; `undefined` for a file that this store does not write. */
function endOf({ name }: LaneFile, written: WrittenFile | undefined): number | undefined {
  return written?.name === name ? written.length : undefined;
}

async function canMatch(file: LaneFile, { from, to }: StoredQuery): Promise<boolean> {
  if (from === undefined && to === undefined) return true;
  const times = await fileTimes(file);
  return times !== undefined && overlaps(times, from, to);
}

function overlaps(
  times: { readonly from: string; readonly to: string },
  from: Date | undefined,
  to: Date | undefined,
): boolean {
  return (
    (from === undefined || times.to > from.toISOString()) &&
    (to === undefined || times.from < to.toISOString())
  );
}

async function sourcesBackwards(
  files: readonly LaneFile[],
  query: StoredQuery,
  written: () => WrittenFile | undefined,
): Promise<readonly RecordSource[]> {
  const sources: RecordSource[] = [];
  for (const file of files.toReversed()) {
    const times = await fileTimes(file);
    if (times === undefined || !overlaps(times, query.from, query.to)) continue;
    sources.push({ bound: times.to, portions: () => backwards(file, query, written) });
  }
  return sources;
}

/** The records of one file, newest first: their places are sorted, because records end in another order than they began. */
async function* backwards(
  file: LaneFile,
  query: StoredQuery,
  written: () => WrittenFile | undefined,
): AsyncGenerator<Iterable<DecisionRecord>> {
  const places: Place[] = [];
  const filter = new LineFilter(query);
  for await (const { bytes, offset, isTorn } of lineBlocks(file.path, { end: endOf(file, written()) })) {
    if (isTorn) continue;
    for (const { time, start, end } of filter.candidates(bytes)) {
      places.push({ time, start: offset + start, end: offset + end });
    }
  }
  if (places.length === 0) return;
  places.sort((a, b) => (a.time === b.time ? b.start - a.start : a.time < b.time ? 1 : -1));
  const handle = await open(file.path, "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    for (let from = 0; from < places.length; from += portionRecords) {
      yield await readPlaces(handle, places.slice(from, from + portionRecords), filter);
    }
  } finally {
    await handle.close();
  }
}

async function readPlaces(
  handle: FileHandle,
  places: readonly Place[],
  filter: LineFilter,
): Promise<readonly DecisionRecord[]> {
  const start = Math.min(...places.map((place) => place.start));
  const end = Math.max(...places.map((place) => place.end));
  const together = end - start <= portionBytes ? await readRange(handle, start, end) : undefined;
  const records: DecisionRecord[] = [];
  for (const place of places) {
    const bytes =
      together?.subarray(place.start - start, place.end - start) ??
      (await readRange(handle, place.start, place.end));
    const record = filter.parse(bytes);
    if (record !== undefined) records.push(record);
  }
  return records;
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}
