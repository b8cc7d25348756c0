import type { BulkFileSummary, BulkFilterSummary } from "@decern/bulk";
import { exitCodes } from "../command-line/command.js";
import { grouped, plural } from "../command-line/progress.js";

type Counts = BulkFileSummary["counts"];

/** Such as `OK 12, NO_MATCH 3`. */
export function countsText(counts: Counts): string {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return found.map(([status, count]) => `${status} ${grouped(count)}`).join(", ");
}

/** Summarises a finished job for the user. */
export function summaryText({ state, items, counts, parts }: BulkFileSummary, output: string): string {
  const total = `${plural(items, "input")}${items === 0 ? "" : `: ${countsText(counts)}`}`;
  if (state === "unchanged") return `${output} was complete: ${total}\n`;
  const kept = parts.kept === 0 ? "" : `, ${grouped(parts.kept)} of them from an earlier run`;
  return `${total}\n${plural(parts.total, "part")} in ${output}${kept}\n`;
}

/** What a job leaves behind that was stopped. */
export function stoppedText({ parts }: BulkFileSummary): string {
  const done = parts.kept + parts.made;
  const what =
    done === 0 ? "before a part was done" : `with ${grouped(done)} of ${plural(parts.total, "part")} done`;
  return `decern: stopped ${what}; run the same command to continue\n`;
}

export function exitCodeFor({ counts }: Pick<BulkFilterSummary, "counts">): number {
  const failures = counts.INVALID_JSON + counts.INVALID_INPUT + counts.ERROR;
  return failures === 0 ? exitCodes.ok : exitCodes.failed;
}
