import type { TableResult } from "@decern/table/browser";
import type { Draft } from "../draft/draft.js";
import type { Judged, Uncompared } from "../draft/judge-record.js";
import type { DocsDecision, RecordSummary, RecordsPage } from "../model/data.js";
import { recordPages } from "../service/records.js";
import type { DraftClient } from "./draft-client.js";

/** What a draft would have changed. */
export interface Comparison {
  readonly draft: Draft;
  readonly days: number;
  readonly same: number;
  readonly changed: number;
  /** Of those that were compared, how many came from a different table of the decision. */
  readonly others: number;
  readonly uncompared: ReadonlyMap<Uncompared, number>;
  /** The newest ones that change. */
  readonly changes: readonly Change[];
  /** Whether the service records a share of calls only. */
  readonly isSample: boolean;
  /** Whether all records of these days were read. */
  readonly isWhole: boolean;
  /** Whether something in the log could not be read. */
  readonly isDamaged: boolean;
}

interface Change {
  readonly record: RecordSummary;
  readonly before: TableResult;
  readonly after: TableResult;
}

export const mostChanges = 50;

interface CompareOptions {
  readonly decision: DocsDecision;
  readonly days: number;
  readonly apiKey: string;
  readonly stopping: AbortSignal;
}

/** What is known after each page of records. */
export async function* comparisons(
  client: DraftClient,
  draft: Draft,
  { decision, days, apiKey, stopping }: CompareOptions,
): AsyncGenerator<Comparison> {
  let soFar: Comparison = {
    draft,
    days,
    same: 0,
    changed: 0,
    others: 0,
    uncompared: new Map(),
    changes: [],
    isSample: false,
    isWhole: false,
    isDamaged: false,
  };
  // What is there is said, also if it is stopped before the first page.
  yield soFar;
  for await (const page of recordPages({ decision: decision.id, days, payloads: true }, apiKey, stopping)) {
    const records = page.records.filter(({ shadowOf }) => shadowOf === undefined);
    const judged = await client.ask(
      draft,
      "judge",
      records.map((record) => withProfile(record, page)),
    );
    if (stopping.aborted) return;
    soFar = withJudged(soFar, records, judged, decision.contentHash);
    const isDamaged = soFar.isDamaged || page.unreadable === true;
    soFar = { ...soFar, isWhole: page.next === null, isDamaged };
    yield soFar;
  }
}

function withProfile({ hasPayload: _, ...record }: RecordSummary, { profiles = {} }: RecordsPage) {
  const { payload = null, profileHash } = record;
  const own = payload !== null && Object.hasOwn(payload, "profile") ? payload.profile : undefined;
  const kept = Object.hasOwn(profiles, profileHash) ? profiles[profileHash] : undefined;
  return { record: { ...record, payload }, profile: own ?? kept };
}

function withJudged(
  soFar: Comparison,
  records: readonly RecordSummary[],
  judged: readonly Judged[],
  servedHash: string | undefined,
): Comparison {
  let { same, changed, others, isSample } = soFar;
  const uncompared = new Map(soFar.uncompared);
  const changes = [...soFar.changes];
  for (const [at, one] of judged.entries()) {
    const record = records[at];
    if (record === undefined) continue;
    if (record.sampleRate < 1) isSample = true;
    if (one.kind === "uncompared") {
      uncompared.set(one.why, (uncompared.get(one.why) ?? 0) + 1);
      continue;
    }
    if (record.contentHash !== servedHash) others += 1;
    if (one.kind === "same") same += 1;
    else {
      changed += 1;
      if (changes.length < mostChanges) changes.push({ record, before: one.before, after: one.after });
    }
  }
  return { ...soFar, same, changed, others, isSample, uncompared, changes };
}

function sumOf(uncompared: Comparison["uncompared"]): number {
  return [...uncompared.values()].reduce((sum, count) => sum + count, 0);
}

export function countOf(comparison: Comparison | undefined): number {
  return comparison === undefined ? 0 : comparison.same + comparison.changed + sumOf(comparison.uncompared);
}

const reasons: Readonly<Record<Uncompared, string>> = {
  removed: "without an input",
  masked: "with a masked value that the table reads",
  profile: "without their profile",
  contract: "of a different contract",
  unlike: "that the browser evaluates differently from the service",
};

/** What a comparison shows. That nothing changes is said only of records that were all compared. */
export function comparisonText(comparison: Omit<Comparison, "draft">): string {
  const { same, changed, others, uncompared, days, isSample, isWhole, isDamaged } = comparison;
  const number = (count: number) => count.toLocaleString("en");
  const compared = same + changed;
  const lost = sumOf(uncompared);
  const hasAll = isWhole && !isDamaged;
  const all = `${compared === 1 ? "the 1 result" : `all ${number(compared)} results`}`;
  const parts = [...uncompared].map(([why, count]) => `${number(count)} ${reasons[why]}`);
  const verdict =
    compared + lost === 0
      ? hasAll
        ? `There are no records of the last ${days} days.`
        : "No record was compared."
      : changed > 0
        ? `${number(changed)} of ${number(compared)} results would change.`
        : lost === 0 && hasAll
          ? `Nothing changes: ${all} of the last ${days} days ${compared === 1 ? "stays" : "stay"} the same.`
          : `None of the ${number(compared)} results that were compared would change.`;
  return [
    verdict,
    ...(lost === 0 ? [] : [`${number(lost)} could not be compared: ${parts.join(", ")}.`]),
    ...(others === 0 ? [] : [`${number(others)} came from a different version of the table.`]),
    ...(isWhole || compared + lost === 0 ? [] : ["Older records were not read."]),
    ...(isDamaged ? ["Part of the log could not be read."] : []),
    ...(isSample ? ["The service records only a share of its calls."] : []),
  ].join(" ");
}
