import type { DecisionInfo } from "@decern/core";
import { useState } from "preact/hooks";
import type {
  RecordDetail,
  RecordSummary,
  RecordsPage,
  RecordsSearchRequest,
  Reevaluation,
  ReevaluationRequest,
} from "../model/data.js";
import { endOf, startOf } from "../model/dates.js";
import { useLatest } from "../parts/browser.js";
import { ApiError, failureText, type Loaded, load, useLoaded } from "../service/api.js";
import { kindsOf, type Search, type TextKind, toSearchFragment } from "./search.js";

/** How many records a page of results has. */
const pageSize = 50;

/** One page of what was found. */
export interface Found extends RecordsPage {
  /** What the text in the search box turned out to be. Absent without a text, and where nothing was found. */
  readonly foundAs?: Exclude<TextKind, "any"> | undefined;
}

/** The decisions that the service serves, for the menu. */
export async function loadDecisions(key: string): Promise<readonly DecisionInfo[]> {
  const { decisions } = await load<{ readonly decisions: readonly DecisionInfo[] }>("decisions", key);
  return decisions;
}

/** The first page. A text that may be several things is looked up as one after the other, until something is found. */
async function loadFirst(search: Search, key: string): Promise<Found> {
  const [kind, ...others] = kindsOf(search);
  if (kind === undefined) return find(search, undefined, key);
  for (const one of [kind, ...others]) {
    const found = await find(search, one, key);
    if (found.records.length > 0) return { ...found, foundAs: one };
  }
  return { records: [], next: null };
}

/** The page after another. */
async function loadMore(
  search: Search,
  { next, foundAs }: Pick<Found, "next" | "foundAs">,
  key: string,
): Promise<readonly [readonly RecordSummary[], string | null]> {
  const found = await find(search, foundAs, key, { before: next ?? undefined });
  return [found.records, found.next];
}

/** More would not fit a spreadsheet, nor the patience of the service. */
export const mostExported = 20_000;

/**
 * Everything that a search finds, a page at a time.
 *
 * @param onCount - gets how many there are so far
 */
export async function loadAll(
  search: Search,
  start: Found,
  key: string,
  onCount: (count: number) => void,
): Promise<readonly RecordSummary[]> {
  const records = [...start.records];
  let { next } = start;
  while (next !== null && records.length < mostExported) {
    const page = await find(search, start.foundAs, key, { before: next, limit: 200 });
    records.push(...page.records);
    next = page.next;
    onCount(records.length);
  }
  return records;
}

/** How many a search finds on all pages. */
async function loadTotal(search: Search, { foundAs }: Found, key: string): Promise<Found["total"]> {
  const { total } = await find(search, foundAs, key, { limit: 1, total: true });
  return total;
}

function find(
  search: Search,
  kind: Found["foundAs"],
  key: string,
  page: Pick<RecordsSearchRequest, "before" | "limit" | "total"> = {},
): Promise<RecordsPage> {
  const { text, from, to, decision, version, status, rule, caller } = search;
  const conditions = {
    from: startOf(from),
    to: endOf(to),
    decision,
    version,
    status,
    rule,
    caller,
    ...(kind === undefined ? {} : { [conditionOf[kind]]: text }),
  };
  // An empty text isn't a condition.
  const given = Object.entries(conditions).filter(([, value]) => value !== "");
  const body: RecordsSearchRequest = { limit: pageSize, ...Object.fromEntries(given), ...page };
  return loadRecords("records/search", key, body);
}

const conditionOf = { record: "recordId", request: "requestId", person: "subject" } as const;

export function loadRecord(recordId: string, key: string): Promise<RecordDetail> {
  return loadRecords(pathOf(recordId), key);
}

export function reevaluate(
  recordId: string,
  request: ReevaluationRequest,
  key: string,
): Promise<Reevaluation> {
  return loadRecords(`${pathOf(recordId)}/evaluate`, key, request);
}

/** As {@link load}. A key that the service accepts may still not open its records. */
async function loadRecords<T>(url: string, key: string, body?: unknown): Promise<T> {
  try {
    return await load<T>(url, key, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    throw new ApiError(403, "This key may not look at records");
  }
}

function pathOf(recordId: string): string {
  return `records/data/${encodeURIComponent(recordId)}`;
}

/** What a search has found so far. */
export interface Results {
  readonly found: Loaded<Found>;
  /** How much there is besides the first page. Absent until it is counted, and where the first page has everything. */
  readonly total: Found["total"];
  /** Whether the next page is under way. */
  readonly isLoadingMore: boolean;
  /** Why the next page did not load. */
  readonly problem: string | undefined;
  /** Adds the next page. @param onAdded - gets the first record that was added */
  more(onAdded: (first: RecordSummary) => void): void;
  /** Searches for the same again. */
  again(): void;
}

/** The pages after the first. */
interface Rest {
  /** The search that they belong to. */
  readonly id: string;
  readonly records: readonly RecordSummary[];
  readonly next: string | null;
  readonly isLoading: boolean;
  readonly problem?: string | undefined;
}

/** Searches when the search changes, newest first, a page at a time. */
export function useSearch(search: Search, key: string): Results {
  const [round, setRound] = useState(0);
  const [added, setAdded] = useState<Rest>();
  const id = `${round} ${key} ${toSearchFragment(search)}`;
  const latest = useLatest(id);
  const first = useLoaded(() => loadFirst(search, key), id);
  const rest = added?.id === id ? added : undefined;
  const isPart = first.state === "ready" && first.value.next !== null;
  // Afterwards, because counting takes longer than finding the newest.
  const total = useLoaded(
    async () => (isPart ? loadTotal(search, first.value, key) : undefined),
    `${isPart} ${id}`,
  );
  const found = first.state === "ready" && rest !== undefined ? withRest(first.value, rest) : first;

  const more = async (onAdded: (record: RecordSummary) => void) => {
    if (found.state !== "ready" || found.value.next === null || rest?.isLoading === true) return;
    const soFar = { id, records: rest?.records ?? [], next: found.value.next };
    setAdded({ ...soFar, isLoading: true });
    const settle = (settled: Omit<Rest, "id" | "isLoading">) => {
      if (latest.current === id) setAdded({ id, isLoading: false, ...settled });
    };
    try {
      const [records, next] = await loadMore(search, found.value, key);
      settle({ records: [...soFar.records, ...records], next });
      const newest = records[0];
      if (newest !== undefined && latest.current === id) onAdded(newest);
    } catch (error) {
      settle({
        ...soFar,
        problem: failureText(error),
      });
    }
  };
  return {
    found,
    total: total.state === "ready" ? total.value : undefined,
    isLoadingMore: rest?.isLoading === true,
    problem: rest?.problem,
    more: (onAdded) => void more(onAdded),
    again: () => setRound(round + 1),
  };
}

function withRest(first: Found, { records, next }: Rest): Loaded<Found> {
  return { state: "ready", value: { ...first, records: [...first.records, ...records], next } };
}
