import { escapePointer, isJsonObject, memberOf } from "@decern/core/schema";
import { inlineJson, visible } from "./markdown.js";
import type {
  CallOutcome,
  Comparison,
  LabelTables,
  MatrixCell,
  NumberShift,
  ReplayExample,
  ReplayReport,
  VersionCount,
} from "./replay-report.js";
import {
  comparisonHeadline,
  count,
  counted,
  difference,
  figure,
  share,
  signedCount,
  verdictNames,
} from "./words.js";

/** A part of a report: a decision, or what is compared alongside it and counts nowhere else. */
export interface Section {
  readonly kind: "Default" | "Shadow" | undefined;
  readonly comparison: Comparison;
  readonly headline: string;
  /** Sentences about what is compared. Absent for a decision. */
  readonly note: string | undefined;
  /** Such as `1.2.0 → 1.3.0`. */
  readonly versions: string;
  /** The cells of the matrix in which results changed, the most frequent first. */
  readonly changed: readonly MatrixCell[];
}

/** The decisions of a report, then what stands alongside them. */
export function sections({ decisions, defaults, shadows }: ReplayReport): readonly Section[] {
  const ofDefault =
    "Results of the candidate's default for calls for which the path or select chose a different version. Not counted above.";
  const ofShadow = "Results of a shadow alongside the recorded calls. Not counted above.";
  return [
    ...decisions.map((comparison) => section(comparison)),
    ...defaults.map((comparison) => section(comparison, "Default", ofDefault)),
    ...shadows.map((comparison) => {
      const { unpaired } = comparison;
      const missing = unpaired === 0 ? "" : ` The calls of ${counted(unpaired, "shadow")} were not found.`;
      return section(comparison, "Shadow", ofShadow + missing);
    }),
  ];
}

/** Twelve digits tell contents of one version apart. */
function versionName({ version, contentHash }: VersionCount): string {
  return contentHash === undefined ? version : `${version} (${contentHash.slice(0, "sha256:".length + 12)})`;
}

function section(comparison: Comparison, kind?: Section["kind"], note?: string): Section {
  const [from, to] = [comparison.before, comparison.after].map((list) => list.map(versionName).join(", "));
  return {
    kind,
    comparison,
    headline: comparisonHeadline(comparison),
    note,
    versions: from === to ? `${from}` : `${from || "nothing"} → ${to || "nothing"}`,
    changed: comparison.matrix
      .filter(({ changed }) => changed > 0)
      .toSorted((one, other) => other.changed - one.changed),
  };
}

/** Whether status and rule are the same, so that only the output differs. */
export function isSameOutcome({ from, to }: MatrixCell): boolean {
  return from === to;
}

/** One column of a table. */
interface Column {
  readonly head: string;
  /** @default "left" */
  readonly align?: "right";
  /** Which of its texts come from records or decisions, and may hold anything: all but the head, or that too. */
  readonly data?: "cells" | "all";
}

/** Rows of texts under their columns, for every format that has tables. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** How numbers of the output moved. */
export function numberTable(numbers: readonly NumberShift[]): Table {
  return {
    title: "How numbers move",
    columns: [
      { head: "Number", data: "cells" },
      { head: "Differs", align: "right" },
      { head: "Mean" },
      { head: "p5 diff", align: "right" },
      { head: "Median", align: "right" },
      { head: "p95 diff", align: "right" },
    ],
    rows: numbers.map(({ pointer, count: differs, meanBefore, meanAfter, quantiles }) => [
      pointer,
      count(differs),
      `${figure(meanBefore)} → ${figure(meanAfter)}`,
      ...[quantiles.p05, quantiles.p50, quantiles.p95].map(difference),
    ]),
  };
}

/** Results by what is known to be true. */
export function labelTable(labels: LabelTables): Table {
  const { label, prediction, rows, agreementBefore, agreementAfter } = labels;
  const isKnown = agreementBefore !== undefined && agreementAfter !== undefined;
  const agreement = isKnown ? `: agrees in ${share(agreementBefore)} → ${share(agreementAfter)}` : "";
  return {
    title: `Against what is known to be true${agreement}`,
    columns: [
      { head: label, data: "all" },
      { head: prediction, data: "all" },
      { head: "Before", align: "right" },
      { head: "After", align: "right" },
      { head: "Change", align: "right" },
    ],
    rows: rows.map((row) => [
      row.label,
      row.prediction,
      count(row.before),
      count(row.after),
      row.after === row.before ? "" : signedCount(row.after - row.before),
    ]),
  };
}

/** Why records were not compared, or failed; `undefined` if all were compared. */
export function leftOut({ counts, reasons }: ReplayReport): Table | undefined {
  const { failed, notReproducible, inconclusive, skipped } = counts;
  const records = notReproducible + inconclusive + skipped;
  if (records === 0 && reasons.length === 0) return undefined;
  return {
    title: `Not compared: ${counted(records, "record")}${failed === 0 ? "" : `. Failed: ${count(failed)}`}`,
    columns: [
      { head: "Records", align: "right" },
      { head: "Verdict" },
      { head: "Decision", data: "cells" },
      { head: "Reason", data: "cells" },
    ],
    rows: reasons.map(({ verdict, decisionId, reason, records }) => [
      count(records),
      verdictNames[verdict].name,
      decisionId,
      reason,
    ]),
  };
}

/** One place of a result that differs. */
export interface Change {
  /** JSON Pointer into `data`, or `error`, or `data` as a whole. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** The first changes of an example, how many more there are, and both explanations if there is one. */
export function exampleChanges(
  example: ReplayExample,
  most: number,
): {
  readonly first: readonly Change[];
  readonly more: number;
  readonly because: Pick<Change, "before" | "after"> | undefined;
} {
  const all = changes(example);
  const first = all.slice(0, most);
  const [before, after] = [example.before.explanation ?? "", example.after.explanation ?? ""];
  const because = before === "" && after === "" ? undefined : { before, after };
  return { first, more: all.length - first.length, because };
}

/** Deeper places are compared as a whole. */
const deepest = 16;

/** Where two results differ, place by place. Where one is an error and the other is not, only the error is of interest. */
export function changes({ before, after }: ReplayExample): readonly Change[] {
  const [was, is] = [before, after].map(errorText);
  if (was !== is) return [{ place: "error", before: was ?? "nothing", after: is ?? "nothing" }];
  return before.data === after.data ? [] : valueChanges(before.data, after.data, "", 0);
}

function errorText({ error }: CallOutcome): string | undefined {
  return error === undefined ? undefined : visible(`${error.code}: ${error.message}`);
}

function valueChanges(before: unknown, after: unknown, pointer: string, depth: number): readonly Change[] {
  if (depth < deepest && isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      valueChanges(
        memberOf(before, name),
        memberOf(after, name),
        `${pointer}/${escapePointer(name)}`,
        depth + 1,
      ),
    );
  }
  if (depth < deepest && Array.isArray(before) && Array.isArray(after)) {
    const longer = before.length < after.length ? after : before;
    return longer.flatMap((_, index): readonly Change[] =>
      valueChanges(before[index], after[index], `${pointer}/${index}`, depth + 1),
    );
  }
  const [was, is] = [inlineJson(before), inlineJson(after)];
  return was === is ? [] : [{ place: pointer === "" ? "data" : visible(pointer), before: was, after: is }];
}
