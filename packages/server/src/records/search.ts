import { DecernError, type DecisionLog, type DecisionRecord, type RecordQuery } from "@decern/core";
import { Lists, LoadGate } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { withOwnProfile } from "@decern/core/tools";
import type { RecordSummary, RecordsPage } from "@decern/pages";
import type { FastifyReply } from "fastify";
import { type RecordsSearch, writeCursor } from "./read-search.js";

/**
 * Finds one page of records, newest first.
 *
 * @param log - has the profiles, for a page with payloads
 */
export async function searchRecords(
  find: DecisionLog["find"],
  log: Pick<DecisionLog, "profile">,
  search: RecordsSearch,
): Promise<RecordsPage> {
  try {
    const page = await findPage(find, log, search);
    return search.total ? { ...page, total: await countRecords(find, search.conditions) } : page;
  } catch (error) {
    // The records of a log without keys concern no person.
    const isKeyless = error instanceof DecernError && error.code === "INVALID_OPTIONS";
    if (isKeyless && search.conditions.subject !== undefined)
      return { records: [], next: null, ...(search.total ? { total: { records: 0, isExact: true } } : {}) };
    throw error;
  }
}

async function findPage(
  find: DecisionLog["find"],
  log: Pick<DecisionLog, "profile">,
  search: RecordsSearch,
): Promise<RecordsPage> {
  const { limit } = search;
  let isPart = false;
  const onUnreadable = (): void => {
    isPart = true;
  };
  const told = search.unreadable ? { ...search.conditions, onUnreadable } : search.conditions;
  // One more than the page has shows whether there is another page.
  const found = await findFirst(find, { ...search, conditions: told }, limit + 1);
  const page = search.payloads
    ? await withPayloads(log, found.slice(0, limit))
    : { records: found.slice(0, limit).map(summaryOf) };
  const { length } = page.records;
  const last = length < found.length ? found[length - 1] : undefined;
  const next = last === undefined ? null : writeCursor(last);
  return { ...page, next, ...(search.unreadable ? { unreadable: isPart } : {}) };
}

/** A page with payloads ends after so many characters, but not before its first record. */
const mostCharacters = 4_000_000;

async function withPayloads(
  log: Pick<DecisionLog, "profile">,
  found: readonly DecisionRecord[],
): Promise<Pick<RecordsPage, "records" | "profiles">> {
  const records: RecordSummary[] = [];
  const profiles = new Map<string, unknown>();
  let characters = 0;
  for (const one of found) {
    const { profileHash } = one;
    const isHosts = one.payload === null || !Object.hasOwn(one.payload, "profile");
    const profile = isHosts && !profiles.has(profileHash) ? await log.profile(profileHash) : undefined;
    const record = withOwnProfile(one, profile ?? profiles.get(profileHash));
    characters += JSON.stringify([record.payload, profile]).length;
    if (characters > mostCharacters && records.length > 0) break;
    if (profile !== undefined) profiles.set(profileHash, profile);
    records.push({ ...summaryOf(record), payload: record.payload });
  }
  return { records, profiles: Object.fromEntries(profiles) };
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
  const output = outputsOf(payload?.result);
  return {
    ...rest,
    hasPayload: payload !== null,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(output.length === 0 ? {} : { output: Object.fromEntries(output) }),
  };
}

const mostOutputs = 6;

const longestOutput = 80;

/** The outputs that fit a line of a list: of a result that is one object in another, as of a model, what the inner one has. */
function outputsOf(result: unknown): readonly (readonly [string, unknown])[] {
  const data = isJsonObject(result) ? result["data"] : undefined;
  if (!isJsonObject(data)) return [];
  const [only, ...others] = Object.values(data);
  const outputs = Object.entries(isJsonObject(only) && others.length === 0 ? only : data);
  return outputs.filter(([, value]) => isBrief(value)).slice(0, mostOutputs);
}

function isBrief(value: unknown): boolean {
  if (typeof value === "string") return value.length <= longestOutput;
  return typeof value === "number" || typeof value === "boolean";
}

/** A search of files may read a day of records: further ones would only be slower, and each takes memory. */
const mostAtOnce = 2;

const mostWaiting = 16;

/** Lets few requests search the records at the same time. */
export class Searches {
  readonly #load = new LoadGate({ maxConcurrent: mostAtOnce });
  readonly #lists = new Lists({ hasRoomForMany: true }, this.#load);
  #begun = 0;

  /**
   * Searches once it is its turn.
   *
   * @param search - is to end once the signal is aborted, because the client has left
   * @throws DecernError `OVERLOADED` where too many wait
   */
  async run<T>({ raw }: FastifyReply, search: (gone: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#begun >= mostAtOnce + mostWaiting) throw new DecernError("OVERLOADED");
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    const places = this.#lists.placesOf(leaving, () => raw.closed);
    this.#begun += 1;
    raw.once("close", leave);
    try {
      return (await places.enter()) ? await search(leaving.signal) : undefined;
    } finally {
      raw.off("close", leave);
      places.leave();
      this.#begun -= 1;
    }
  }

  stop(): void {
    this.#load.stop();
  }
}

/** The same items until the signal is aborted. Then whatever is under way ends soon, and there are no more. */
export function until<T>(gone: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      const stop = (): void => void iterator.return?.().catch(() => {});
      if (gone.aborted) stop();
      else gone.addEventListener("abort", stop, { once: true });
      return iterator;
    },
  };
}

const mostCounted = 10_000;

/** To count for longer would cost the service more than the figure is worth. */
const mostMs = 1000;

/**
 * Counts records by reading them, since a store has no figure for every search.
 *
 * @param forMs - after which the count ends with what it has
 */
export async function countRecords(
  find: DecisionLog["find"],
  conditions: Omit<RecordQuery, "newestFirst" | "limit">,
  forMs = mostMs,
): Promise<NonNullable<RecordsPage["total"]>> {
  const late = AbortSignal.timeout(forMs);
  let records = 0;
  const found = find({ ...conditions, newestFirst: true, limit: mostCounted + 1 });
  for await (const _ of until(late, found)) records += 1;
  return records > mostCounted
    ? { records: mostCounted, isExact: false }
    : { records, isExact: !late.aborted };
}
