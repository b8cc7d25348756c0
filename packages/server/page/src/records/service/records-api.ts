import type { DecisionInfo } from "@decern/core";
import type {
  RecordDetail,
  RecordSummary,
  RecordsPage,
  Reevaluation,
  ReevaluationRequest,
} from "../../../../src/records/records-data.js";
import { load } from "../../service/api.js";
import { kindsOf, type Search, type TextKind } from "../model/search.js";
import { endOfDay, startOfDay } from "../model/times.js";

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
export async function loadFirst(search: Search, key: string): Promise<Found> {
  const [kind, ...others] = kindsOf(search);
  if (kind === undefined) return load(addressOf(search, undefined, undefined), key);
  for (const one of [kind, ...others]) {
    const found = await load<RecordsPage>(addressOf(search, one, undefined), key);
    if (found.records.length > 0) return { ...found, foundAs: one };
  }
  return { records: [], next: null };
}

/** The page after another one. */
export async function loadMore(
  search: Search,
  { next, foundAs }: Pick<Found, "next" | "foundAs">,
  key: string,
): Promise<readonly [readonly RecordSummary[], string | null]> {
  const found = await load<RecordsPage>(addressOf(search, foundAs, next ?? undefined), key);
  return [found.records, found.next];
}

function addressOf(search: Search, kind: Found["foundAs"], before: string | undefined): string {
  const { text, from, to, decision, version, status, rule, caller } = search;
  const conditions = {
    from: startOfDay(from),
    to: endOfDay(to),
    decision,
    version,
    status,
    rule,
    caller,
    ...(kind === undefined ? {} : { [conditionOf[kind]]: text }),
    before,
    limit: String(pageSize),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(conditions)) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  return `records/data?${query}`;
}

const conditionOf = { record: "recordId", request: "requestId", person: "subject" } as const;

export function loadRecord(recordId: string, key: string): Promise<RecordDetail> {
  return load(pathOf(recordId), key);
}

export function reevaluate(
  recordId: string,
  request: ReevaluationRequest,
  key: string,
): Promise<Reevaluation> {
  return load(`${pathOf(recordId)}/evaluate`, key, request);
}

function pathOf(recordId: string): string {
  return `records/data/${encodeURIComponent(recordId)}`;
}
