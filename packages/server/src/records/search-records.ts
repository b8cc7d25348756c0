import { DecernError, type DecisionLog, type DecisionRecord } from "@decern/core";
import type { RecordSummary, RecordsPage } from "@decern/pages";
import { writeCursor } from "./record-cursor.js";
import type { RecordsSearch } from "./records-query.js";

/** Finds one page of records, newest first. */
export async function searchRecords(find: DecisionLog["find"], search: RecordsSearch): Promise<RecordsPage> {
  try {
    return await findPage(find, search);
  } catch (error) {
    // The records of a log without keys concern nobody.
    const isKeyless = error instanceof DecernError && error.code === "INVALID_OPTIONS";
    if (isKeyless && search.conditions.subject !== undefined) return { records: [], next: null };
    throw error;
  }
}

async function findPage(find: DecisionLog["find"], search: RecordsSearch): Promise<RecordsPage> {
  const { limit } = search;
  // One more than the page has shows whether there is another page.
  const found = await findFirst(find, search, limit + 1);
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    records: found.slice(0, limit).map(summaryOf),
    next: last === undefined ? null : writeCursor(last),
  };
}

/** @param count - how many to find */
async function findFirst(
  find: DecisionLog["find"],
  { conditions, before }: RecordsSearch,
  count: number,
): Promise<readonly DecisionRecord[]> {
  if (before === undefined) return collect(find({ ...conditions, newestFirst: true, limit: count }), count);
  const { at, recordId } = before;
  const next = new Date(at.getTime() + 1);
  const to = conditions.to !== undefined && conditions.to < next ? conditions.to : next;
  // Records of one instant have a fixed order. Those up to the cursor's were on earlier pages, and there may be many.
  for (let asked = count * 2; ; asked *= 8) {
    let isPast = false;
    let seen = 0;
    const found: DecisionRecord[] = [];
    for await (const record of find({ ...conditions, to, newestFirst: true, limit: asked })) {
      seen += 1;
      if (isPast || new Date(record.recordedAt) < at) found.push(record);
      else isPast = record.recordId === recordId;
      if (found.length === count) return found;
    }
    if (seen < asked) return found;
  }
}

async function collect(records: AsyncIterable<DecisionRecord>, count: number): Promise<DecisionRecord[]> {
  const found: DecisionRecord[] = [];
  for await (const record of records) {
    found.push(record);
    if (found.length === count) break;
  }
  return found;
}

function summaryOf({ payload, ...rest }: DecisionRecord): RecordSummary {
  const errorCode = payload?.error?.code;
  return { ...rest, hasPayload: payload !== null, ...(errorCode === undefined ? {} : { errorCode }) };
}
