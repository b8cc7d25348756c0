import { open } from "node:fs/promises";
import type { DecisionRecord } from "@decern/core";
import { hasCode } from "@decern/core/tools";
import { lineBlocks, type RecordFile } from "../lines/line-blocks.js";
import { CandidateLines, LineFilter } from "../lines/line-filter.js";
import { boundBefore, type TimedBlock } from "../lines/times.js";
import type { StoredQuery } from "../record/record-store.js";
import type { FileChain, FileSet } from "./file-set.js";
import { mergedRecords, type RecordPortion, type RecordSource } from "./merged-records.js";

interface Place {
  readonly time: string;
  readonly file: number;
  readonly start: number;
}

interface Held extends Place {
  readonly record: DecisionRecord;
}

interface Unread {
  /** No record of it is of a later instant. */
  readonly newest: string;
  readonly file: number;
  /** The block whose times are known; otherwise, the file up to the end of the block `index`. */
  readonly block?: TimedBlock;
  readonly index: number;
}

/**
 * The records of files, the newest first. Files are read from the end: first for the times in a block, then for the records of
 * the blocks that have the newest. It holds what may still come after a record of another block: never more records than are
 * asked for, and those of one block.
 */
async function* newestFirst(
  set: FileSet,
  chains: readonly FileChain[],
  query: StoredQuery,
): AsyncGenerator<RecordPortion> {
  const { from, to, limit = Number.POSITIVE_INFINITY } = query;
  const [first, end] = [from?.toISOString() ?? "", to?.toISOString() ?? "\uffff"];
  const files = chains.flatMap((chain) => chain.files);
  const filter = new LineFilter(query);
  const unread: Unread[] = [];
  for (const [index, file] of files.entries()) {
    const times = await set.times(file);
    if (times === undefined || times.to <= first || times.from >= end) continue;
    const last = await set.blockTimes.last(file.path, set.endOf(file));
    if (last >= 0) insert(unread, { newest: times.to, file: index, index: last });
  }
  let left = limit;
  let held: readonly Held[] = [];
  while (left > 0) {
    const next = unread.pop();
    const certain = next === undefined ? -1 : held.findIndex(({ time }) => time <= next.newest);
    const ready = certain === -1 ? held : held.slice(0, certain);
    // Even an empty portion: the reader may have stopped.
    yield ready.map(({ record }) => record);
    left -= ready.length;
    if (next === undefined) return;
    held = held.slice(ready.length);
    const { file: index, index: blockIndex, block } = next;
    const file = files[index];
    if (file === undefined) continue;
    if (block === undefined) {
      const last = await set.blockTimes.at(file.path, blockIndex, set.endOf(file), set.mayLackLastNewline);
      if (last.newest === "" ? filter.mayMatch(undefined) : last.newest >= first && last.oldest < end)
        insert(unread, { newest: last.newest, file: index, index: blockIndex, block: last });
      const newest = boundBefore(last, set.order, next.newest);
      if (blockIndex > 0 && newest >= first) insert(unread, { newest, file: index, index: blockIndex - 1 });
    } else {
      const found = newestOf(
        await readBlock(file.path, block),
        { file: index, name: file.name, offset: block.start },
        filter,
        held,
        left,
      );
      held = [...held, ...found].sort(compare).slice(0, left);
    }
  }
}

/** The matching records of a block, except those that the limit cuts off. */
function newestOf(
  bytes: Buffer,
  { file, name, offset }: { readonly file: number; readonly name: string; readonly offset: number },
  filter: LineFilter,
  held: readonly Held[],
  left: number,
): readonly Held[] {
  const lines = new CandidateLines(bytes, filter);
  const places: (Place & { readonly end: number })[] = [];
  while (lines.next()) {
    const time = lines.time();
    const start = offset + lines.start;
    if (!filter.mayMatch(time)) continue;
    if (time === undefined) filter.parse(bytes, lines.start, lines.end, () => `${name}, byte ${start}`);
    else places.push({ time, file, start, end: lines.end });
  }
  const last = held[left - 1];
  const found: Held[] = [];
  for (const { end, ...place } of places.sort(compare)) {
    if (found.length === left || (last !== undefined && compare(last, place) < 0)) break;
    const record = filter.parse(bytes, place.start - offset, end, () => `${name}, byte ${place.start}`);
    if (record !== undefined) found.push({ ...place, record });
  }
  return found;
}

function compare(a: Place, b: Place): number {
  if (a.time !== b.time) return a.time < b.time ? 1 : -1;
  return b.file - a.file || b.start - a.start;
}

/** Keeps them in the order of their newest times. */
function insert(unread: Unread[], one: Unread): void {
  let [from, to] = [0, unread.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((unread[middle]?.newest ?? "") <= one.newest) from = middle + 1;
    else to = middle;
  }
  unread.splice(from, 0, one);
}

async function readBlock(path: string, { start, end }: TimedBlock): Promise<Buffer> {
  const handle = await open(path, "r").catch((error: unknown) => {
    // Too old, and deleted since.
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (handle === undefined) return Buffer.alloc(0);
  try {
    const bytes = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Streams the records of files that match. Lines that are no records are left out: a proof finds them. */
export function findRecords(set: FileSet, query: StoredQuery): AsyncIterable<DecisionRecord> {
  const { limit = Number.POSITIVE_INFINITY, subjects } = query;
  const sources = async (): Promise<readonly RecordSource[]> => {
    if (subjects?.length === 0) return [];
    const chains = await set.chains();
    if (query.newestFirst === true) return [{ bound: "", portions: () => newestFirst(set, chains, query) }];
    const begins = await Promise.all(chains.map((chain) => set.begin(chain)));
    return chains.map((chain, index) => ({
      bound: begins[index] ?? "",
      portions: () => forwards(set, chain, query),
    }));
  };
  return { [Symbol.asyncIterator]: () => mergedRecords(sources, limit) };
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

function* recordsIn(
  bytes: Buffer,
  filter: LineFilter,
  place: { readonly file: RecordFile; line: number },
): Generator<DecisionRecord, void> {
  const lines = new CandidateLines(bytes, filter);
  const at = (): string => `${place.file.name}:${place.line}`;
  while (lines.next()) {
    // Without needles, every line is a candidate.
    place.line += 1;
    if (filter.hasTime && !filter.mayMatch(lines.time())) continue;
    const record = filter.parse(bytes, lines.start, lines.end, at);
    if (record !== undefined) yield record;
  }
}

async function canMatch(set: FileSet, file: RecordFile, { from, to }: StoredQuery): Promise<boolean> {
  if (from === undefined && to === undefined) return true;
  const times = await set.times(file);
  if (times === undefined) return false;
  const isTooOld = from !== undefined && times.to <= from.toISOString();
  const isTooNew = to !== undefined && times.from >= to.toISOString();
  return !isTooOld && !isTooNew;
}
