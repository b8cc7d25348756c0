import {
  DecernError,
  type DecisionLog,
  type DecisionRecord,
  type RecordQuery,
  type RecordStatus,
} from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { withOwnProfile } from "@decern/core/tools";
import type { RecordSummary, RecordsPage } from "@decern/pages";
import { countRecords } from "./searches.js";

/** Where a page of records ended. */
interface RecordCursor {
  /** When its last record was made. */
  readonly at: Date;
  readonly recordId: string;
}

function writeCursor({ recordedAt, recordId }: Pick<DecisionRecord, "recordedAt" | "recordId">): string {
  return `${recordedAt}~${recordId}`;
}

/** @returns `undefined` for a text that {@link writeCursor} did not write */
function readCursor(text: string): RecordCursor | undefined {
  const [, instant = "", recordId] = /^(\S+Z)~([\w-]{1,100})$/.exec(text) ?? [];
  const at = new Date(instant);
  return recordId === undefined || Number.isNaN(at.getTime()) ? undefined : { at, recordId };
}

/** A search as `POST /records/search` takes it. */
export interface RecordsSearch {
  readonly conditions: Omit<RecordQuery, "newestFirst" | "limit">;
  /** How many records a page has. */
  readonly limit: number;
  /** Where the page before it ended. */
  readonly before: RecordCursor | undefined;
  readonly payloads: boolean;
  /** Whether the records on all pages are counted, too. */
  readonly total: boolean;
}

const texts = ["decision", "version", "rule", "requestId", "recordId", "subject", "caller"] as const;

const known: ReadonlySet<string> = new Set([
  ...texts,
  "from",
  "to",
  "status",
  "limit",
  "before",
  "payloads",
  "total",
]);

const statuses: readonly RecordStatus[] = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "ERROR"];

const defaultLimit = 50;

const maxLimit = 200;

/**
 * Reads the body of a search.
 *
 * @param body - `undefined` searches for everything
 * @throws DecernError `BAD_REQUEST` whose problem says what is wrong
 */
export function readSearch(body: unknown): RecordsSearch {
  const given = body === undefined ? {} : body;
  if (!isJsonObject(given)) throw refusal("the body must be an object");
  refuseUnknown(given, known);
  const text = (name: string): string | undefined => {
    const value = given[name];
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw refusal(`'${name}' must be a string`);
    if (value === "") throw refusal(`'${name}' is empty`);
    return value;
  };
  const from = instant("from", text("from"));
  const to = instant("to", text("to"));
  if (from !== undefined && to !== undefined && from >= to) throw refusal("'from' must be before 'to'");
  const status = text("status");
  const before = text("before");
  const cursor = before === undefined ? undefined : readCursor(before);
  if (before !== undefined && cursor === undefined)
    throw refusal("'before' must be the 'next' of another page");
  return {
    conditions: {
      ...Object.fromEntries(texts.map((name) => [name, text(name)] as const)),
      from,
      to,
      status: status === undefined ? undefined : readStatus(status),
    },
    limit: readLimit(given["limit"]),
    before: cursor,
    payloads: readFlag("payloads", given["payloads"]),
    total: readFlag("total", given["total"]),
  };
}

/** @throws DecernError `BAD_REQUEST` for a field that means nothing here: ignored, it would mislead its sender */
export function refuseUnknown(body: Readonly<Record<string, unknown>>, fields: ReadonlySet<string>): void {
  const unknown = Object.keys(body).find((name) => !fields.has(name));
  if (unknown === undefined) return;
  throw refusal(`unknown field '${unknown}'; known are ${[...fields].join(", ")}`);
}

/** The refusal of a look-up. @param detail - what is wrong with it */
export function refusal(detail: string): DecernError {
  return new DecernError("BAD_REQUEST", { problems: [{ path: "", message: detail }] });
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A day stands for its first instant in UTC. */
function instant(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = instantPattern.exec(text)?.[1];
  const read = new Date(text);
  // JavaScript takes 30 February for a day in March.
  const isDay = day !== undefined && isSameDay(day);
  if (isDay && !Number.isNaN(read.getTime())) return read;
  throw refusal(`'${name}' must be a day, such as 2026-03-03, or an instant, such as 2026-03-03T14:05:09Z`);
}

function isSameDay(day: string): boolean {
  const read = new Date(day);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}

function readStatus(text: string): RecordStatus {
  const status = statuses.find((one) => one === text);
  if (status === undefined) throw refusal(`'status' must be one of ${statuses.join(", ")}`);
  return status;
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return defaultLimit;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit;
  throw refusal(`'limit' must be a whole number from 1 to ${maxLimit}`);
}

function readFlag(name: string, flag: unknown): boolean {
  if (flag === undefined || typeof flag === "boolean") return flag === true;
  throw refusal(`'${name}' must be true or false`);
}

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
  // One more than the page has shows whether there is another page.
  const found = await findFirst(find, search, limit + 1);
  const page = search.payloads
    ? await withPayloads(log, found.slice(0, limit))
    : { records: found.slice(0, limit).map(summaryOf) };
  const { length } = page.records;
  const last = length < found.length ? found[length - 1] : undefined;
  return { ...page, next: last === undefined ? null : writeCursor(last) };
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
