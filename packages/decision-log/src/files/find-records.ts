import { type FileHandle, open } from "node:fs/promises";
import type { DecisionRecord, StoredQuery } from "@decern/core";
import type { FileChain, FileSet } from "./file-set.js";
import { CandidateLines } from "./lines/candidate-lines.js";
import { isMissing } from "./lines/file-errors.js";
import { lineBlocks } from "./lines/line-blocks.js";
import { LineFilter } from "./lines/line-filter.js";
import type { RecordFile } from "./lines/record-file.js";
import { MergedRecords } from "./merged-records.js";
import type { RecordPortion, RecordSource } from "./record-source.js";

/** Where in a file a record is that may match. */
interface Place {
  readonly time: string;
  readonly start: number;
  readonly end: number;
}

/** Records that are read back in one go. */
const portionRecords = 256;
const portionBytes = 8 * 1024 * 1024;

/** Streams the records of files that match. Lines that are no records are left out: a proof finds them. */
export function findRecords(set: FileSet, query: StoredQuery): AsyncIterable<DecisionRecord> {
  const { limit = Number.POSITIVE_INFINITY, newestFirst = false, subjects } = query;
  const sources = async (): Promise<readonly RecordSource[]> => {
    if (subjects?.length === 0) return [];
    const chains = await set.chains();
    if (newestFirst) return sourcesBackwards(set, chains, query);
    const begins = await Promise.all(chains.map((chain) => set.begin(chain)));
    return chains.map((chain, index) => ({
      bound: begins[index] ?? "",
      portions: () => forwards(set, chain, query),
    }));
  };
  return { [Symbol.asyncIterator]: () => new MergedRecords(sources, newestFirst, limit) };
}

async function* forwards(
  set: FileSet,
  { files }: FileChain,
  query: StoredQuery,
): AsyncGenerator<RecordPortion> {
  const filter = new LineFilter(query);
  for (const file of files) {
    if (!(await canMatch(set, file, query))) continue;
    const place = { file, line: 0 };
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end: set.endOf(file) })) {
      if (!isTorn || set.mayLackLastNewline) yield recordsIn(bytes, filter, place);
    }
  }
}

/** The records of a block, each parsed when it is asked for. */
function recordsIn(
  bytes: Buffer,
  filter: LineFilter,
  place: { readonly file: RecordFile; line: number },
): RecordPortion {
  const lines = new CandidateLines(bytes, filter);
  const at = (): string => `${place.file.name}:${place.line}`;
  return {
    next() {
      while (lines.next()) {
        // Without needles, every line is a candidate.
        place.line += 1;
        const record =
          !filter.hasTime || filter.mayMatch(lines.time())
            ? filter.parse(bytes, lines.start, lines.end, at)
            : undefined;
        if (record !== undefined) return record;
      }
      return undefined;
    },
  };
}

async function canMatch(set: FileSet, file: RecordFile, { from, to }: StoredQuery): Promise<boolean> {
  if (from === undefined && to === undefined) return true;
  const times = await set.times(file);
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
  set: FileSet,
  chains: readonly FileChain[],
  query: StoredQuery,
): Promise<readonly RecordSource[]> {
  const sources: RecordSource[] = [];
  for (const file of chains.flatMap(({ files }) => files).reverse()) {
    const times = await set.times(file);
    if (times === undefined || !overlaps(times, query.from, query.to)) continue;
    sources.push({ bound: times.to, portions: () => backwards(set, file, query) });
  }
  return sources;
}

/** The records of one file, newest first: their places are sorted, because records end in another order than they began. */
async function* backwards(set: FileSet, file: RecordFile, query: StoredQuery): AsyncGenerator<RecordPortion> {
  const places: Place[] = [];
  const filter = new LineFilter(query);
  let line = 0;
  const at = (): string => `${file.name}:${line}`;
  for await (const { bytes, offset, isTorn } of lineBlocks(file.path, { end: set.endOf(file) })) {
    if (isTorn && !set.mayLackLastNewline) continue;
    const lines = new CandidateLines(bytes, filter);
    while (lines.next()) {
      line += 1;
      const time = lines.time();
      if (!filter.mayMatch(time)) continue;
      if (time === undefined) filter.parse(bytes, lines.start, lines.end, at);
      else places.push({ time, start: offset + lines.start, end: offset + lines.end });
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
      yield await readPlaces(handle, file, places.slice(from, from + portionRecords), filter);
    }
  } finally {
    await handle.close();
  }
}

async function readPlaces(
  handle: FileHandle,
  { name }: RecordFile,
  places: readonly Place[],
  filter: LineFilter,
): Promise<RecordPortion> {
  const start = Math.min(...places.map((place) => place.start));
  const end = Math.max(...places.map((place) => place.end));
  const together = end - start <= portionBytes ? await readRange(handle, start, end) : undefined;
  const records: DecisionRecord[] = [];
  for (const place of places) {
    const bytes =
      together?.subarray(place.start - start, place.end - start) ??
      (await readRange(handle, place.start, place.end));
    const record = filter.parse(bytes, 0, bytes.length, () => `${name}, byte ${place.start}`);
    if (record !== undefined) records.push(record);
  }
  let index = 0;
  return {
    next() {
      index += 1;
      return records[index - 1];
    },
  };
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}
