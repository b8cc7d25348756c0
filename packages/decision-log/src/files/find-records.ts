import type { DecisionRecord, StoredQuery } from "@decern/core";
import type { FileChain, FileSet } from "./file-set.js";
import { CandidateLines } from "./lines/candidate-lines.js";
import { lineBlocks } from "./lines/line-blocks.js";
import { LineFilter } from "./lines/line-filter.js";
import type { RecordFile } from "./lines/record-file.js";
import { MergedRecords } from "./merged-records.js";
import { newestFirst } from "./newest-first.js";
import type { RecordPortion, RecordSource } from "./record-source.js";

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
  return { [Symbol.asyncIterator]: () => new MergedRecords(sources, limit) };
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
