import type { ReplayReport } from "@decern/replay";
import type { ChangedPart, ChangedResult, TableAnalysis, TableDiff, TableResult } from "@decern/table";
import { grouped, plural } from "./text.js";

/** More of a kind are counted. */
const mostShown = 20;

/** What an analysis found, for people: errors first. */
export function showAnalysis(analysis: TableAnalysis): readonly string[] {
  const { overlaps, gaps, masked, duplicates, unreachable, mergeable, undecided } = analysis;
  const errors = overlaps.filter(({ isError }) => isError);
  return [
    ...some(errors, "overlap", ({ rules, witness, now }) => {
      const when = now === undefined ? "" : ` at ${now}`;
      return `error: rows ${quoted(rules)} overlap, and the hit policy allows one: both match ${json(witness)}${when}`;
    }),
    ...some(gaps, "gap", ({ box, from, until, witness, now }) => {
      const when = now === undefined ? "" : ` at ${now}`;
      const start = from === undefined ? "" : ` from ${from}`;
      const end = until === undefined ? "" : ` until ${until}`;
      return `gap: no row for ${box.join(" | ")}${start}${end}; for example ${json(witness)}${when}`;
    }),
    ...some(masked, "masked row", ({ rule, by }) =>
      by.length === 0
        ? `masked: no input matches row "${rule}"`
        : `masked: row "${rule}" never decides; before it ${by.length === 1 ? "comes row" : "come rows"} ${quoted(by)}`,
    ),
    ...some(
      duplicates,
      "group of duplicates",
      ({ rules }) => `duplicates: rows ${quoted(rules)} are the same`,
    ),
    ...some(
      unreachable,
      "unreachable output",
      ({ path, value }) => `unreachable: no row returns ${json(value)} as ${path}`,
    ),
    ...some(mergeable, "group of rows that could be one", ({ rules, path, cell }) =>
      path === undefined
        ? `mergeable: rows ${quoted(rules)} could be one`
        : `mergeable: rows ${quoted(rules)} could be one, with ${json(cell)} in ${path}`,
    ),
    ...some(undecided, "undecided part", ({ part, rules, message }) => {
      const about = rules === undefined ? "" : ` of rows ${quoted(rules)}`;
      return `not decided: ${part}${about}: ${message}`;
    }),
  ];
}

/** The first of a kind as lines; the others are counted. */
function some<Item>(items: readonly Item[], noun: string, show: (item: Item) => string): readonly string[] {
  const lines = items.slice(0, mostShown).map(show);
  const others = items.length - lines.length;
  return others === 0 ? lines : [...lines, `… and ${plural(others, `more ${noun}`)}`];
}

function quoted(rules: readonly string[]): string {
  const shown = rules.slice(0, 10).map((id) => `"${id}"`);
  return `${shown.join(", ")}${rules.length > shown.length ? ` and ${rules.length - shown.length} more` : ""}`;
}

export function json(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

/** How often records hit each row of a table. */
export interface Coverage {
  readonly version: string;
  readonly contentHash: string | undefined;
  /** Results of this very content, also for other decisions that used the table, and in shadows. */
  readonly evaluations: number;
  /** In the order of the table; the default comes last. */
  readonly rows: readonly RowHits[];
  /** Evaluations that hit no row. */
  readonly withoutRow: number;
  /** Evaluations whose record only has the first of the rows, because the rest was erased or masked. */
  readonly onlyFirst: number;
  /** Evaluations whose record stands for others that weren't kept. */
  readonly sampled: number;
  /** Evaluations by other contents of this id, the most frequent first. */
  readonly others: readonly OtherContent[];
}

interface RowHits {
  readonly rule: string;
  readonly hits: number;
  /** ISO 8601 instant of the newest. */
  readonly last?: string;
}

/** What else was evaluated under the table's id. */
export interface OtherContent {
  readonly version: string;
  /** Absent for a decision of rules. */
  readonly contentHash?: string;
  readonly evaluations: number;
  /** ISO 8601 instants. */
  readonly first: string;
  readonly last: string;
}

/** The hits of each row, for people: what nothing met comes last, in a sentence. */
export function showCoverage({ since, ...found }: Coverage & { readonly since: string }): readonly string[] {
  const { version, contentHash = "none", evaluations, rows, withoutRow, onlyFirst, sampled, others } = found;
  const width = Math.max(...rows.map(({ hits }) => grouped(hits).length));
  const never = rows.filter(({ hits }) => hits === 0).map(({ rule }) => rule);
  return [
    `version ${version}, content ${contentHash}: ${plural(evaluations, "evaluation")} since ${since}`,
    ...(evaluations === 0
      ? []
      : rows.map(({ rule, hits, last }) => {
          const when = last === undefined ? "" : `, last ${last}`;
          return `${grouped(hits).padStart(width)}  ${JSON.stringify(rule)}${when}`;
        })),
    ...(evaluations > 0 && never.length > 0
      ? [`no input met ${never.length === 1 ? "row" : "rows"} ${quoted(never)}`]
      : []),
    ...(withoutRow > 0 ? [`${plural(withoutRow, "evaluation")} hit no row`] : []),
    ...(onlyFirst > 0
      ? [
          `${plural(onlyFirst, "evaluation")} count for one row only, because the record does not have the others`,
        ]
      : []),
    ...(sampled > 0 ? [`${plural(sampled, "evaluation")} stand for others that were not recorded`] : []),
    ...others.map(
      (other) =>
        `not counted: ${plural(other.evaluations, "evaluation")} by version ${other.version}, content ${other.contentHash ?? "none"}, from ${other.first} to ${other.last}`,
    ),
  ];
}

/** What became of records that were evaluated again. */
export interface ReplayedLog extends Omit<ReplayReport["counts"], "skipped"> {
  /** Another row decides, with the same result. */
  readonly onlyRow: number;
  readonly reasons: ReplayReport["reasons"];
}

/** How two tables differ, for people. */
export function showTableDiff(diff: TableDiff, log: ReplayedLog | undefined): readonly string[] {
  const { added, removed, changed, moved, metadata, results, undecided } = diff;
  return [
    ...metadata.map((part) => `changed: ${partText(part)}`),
    ...some(removed, "removed row", (id) => `removed: row ${json(id)}`),
    ...some(added, "added row", (id) => `added: row ${json(id)}`),
    ...some(
      changed,
      "changed row",
      ({ rule, cells }) => `changed: row ${json(rule)}, ${cells.map(partText).join("; ")}`,
    ),
    ...some(moved, "moved row", (id) => `moved: row ${json(id)}`),
    ...some(results, "input whose result changes", resultText),
    ...some(undecided, "undecided part", ({ rules, message }) => {
      const about = rules === undefined ? "" : ` where an input meets rows ${quoted(rules)}`;
      return `not decided: whether the result changes${about}. ${message}`;
    }),
    ...(results.length === 0 && undecided.length === 0 ? ["no input has another result"] : []),
    ...(log === undefined ? [] : logText(log)),
  ];
}

function partText({ name, before, after }: ChangedPart): string {
  if (before === undefined) return `${name} is now ${json(after)}`;
  return after === undefined
    ? `${name} ${json(before)} is gone`
    : `${name} from ${json(before)} to ${json(after)}`;
}

function resultText({ input, now, before, after }: ChangedResult): string {
  const when = now === undefined ? "" : ` at ${now}`;
  return `result: ${json(input)}${when} had ${endText(before)}, and has ${endText(after)}`;
}

function endText({ status, data, rules, message }: TableResult): string {
  if (status === "NO_MATCH") return "no row";
  const by = rules.length === 0 ? "" : ` by ${rules.length === 1 ? "row" : "rows"} ${quoted(rules)}`;
  return status === "OK" ? `${json(data)}${by}` : `${status}${message === undefined ? "" : ` (${message})`}`;
}

/** What a reader of the counts asks. */
export function countsOf(log: ReplayedLog) {
  const { changed, onlyRow, failed, unchanged, notReproducible, inconclusive } = log;
  return {
    compared: changed + onlyRow + failed + unchanged,
    different: changed + failed,
    failed,
    onlyRow,
    unknown: notReproducible + inconclusive,
  };
}

function logText(log: ReplayedLog): readonly string[] {
  const { compared, different, failed, onlyRow, unknown } = countsOf(log);
  return [
    `log: ${different} of ${plural(compared, "record")} would have another result`,
    ...(failed === 0 ? [] : [`log: of them, ${failed} would fail`]),
    ...(onlyRow === 0 ? [] : [`log: ${onlyRow} would have the same result by another row`]),
    ...(unknown === 0 ? [] : [`log: ${plural(unknown, "record")} could not be compared`]),
    ...log.reasons
      .filter(({ verdict }) => verdict !== "skipped")
      .slice(0, 3)
      .map(({ reason, records }) => `log: ${plural(records, "record")}: ${reason}`),
  ];
}
