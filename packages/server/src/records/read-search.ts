import { DecernError, type DecisionRecord, type RecordQuery, type RecordStatus } from "@decern/core";
import { dayOf, isJsonObject } from "@decern/core/schema";

/** Where a page of records ended. */
interface RecordCursor {
  /** When its last record was made. */
  readonly at: Date;
  readonly recordId: string;
}

export function writeCursor({
  recordedAt,
  recordId,
}: Pick<DecisionRecord, "recordedAt" | "recordId">): string {
  return `${recordedAt}~${recordId}`;
}

/** @returns `undefined` for a text that {@link writeCursor} did not write */
function readCursor(text: string): RecordCursor | undefined {
  const [, instant = "", recordId] = /^(\d{4}-\S+Z)~([\w-]{1,100})$/.exec(text) ?? [];
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
  /** Whether the reply tells of what is in the log and isn't a record. */
  readonly unreadable: boolean;
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
  "unreadable",
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
    unreadable: readFlag("unreadable", given["unreadable"]),
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
  const isDay = day !== undefined && dayOf(day) !== undefined;
  if (isDay && !Number.isNaN(read.getTime())) return read;
  throw refusal(`'${name}' must be a day, such as 2026-03-03, or an instant, such as 2026-03-03T14:05:09Z`);
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
