import type { ReplayReport } from "@decern/replay";
import type { ChangedPart, ChangedResult, TableDiff, TableResult } from "@decern/table";
import { json, quoted, some } from "./show-analysis.js";
import { plural } from "./text.js";

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
