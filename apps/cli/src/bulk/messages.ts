import type { BulkFileSummary, BulkFilterSummary, Emit } from "@decern/bulk";
import type { Logger } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { exitCodes } from "../command-line/command.js";
import type { DecisionSettings } from "../module/decision-work.js";
import { grouped, plural, sentenceOf } from "../text/text.js";

export interface BulkSettings extends DecisionSettings {
  /** JSON Pointers of what records leave out. */
  readonly mask: readonly string[];
}

export function isBulkSettings(value: unknown): value is BulkSettings {
  return (
    isJsonObject(value) &&
    typeof value["module"] === "string" &&
    typeof value["id"] === "string" &&
    Array.isArray(value["mask"])
  );
}

export interface FilterOrder {
  readonly data: BulkSettings;
  readonly emit: Emit | undefined;
  readonly key: string | undefined;
  readonly now: Date | undefined;
  readonly maxLine: number | undefined;
}

/** What the thread is sent: bytes of the input, or `null` once it has ended. */
export type FilterInput = Uint8Array | null;

/** What the thread says. */
export type FilterReport =
  /** It takes one more piece of the input. */
  | { readonly type: "more" }
  /** Whole lines for the output. */
  | { readonly type: "results"; readonly text: string }
  | { readonly type: "finished"; readonly counts: BulkFilterSummary["counts"] };

/** Writes errors as sentences that name the line, and warnings. */
export function lineLogger(say: (text: string) => void): Logger {
  return {
    warn: (_details, message) => say(`decern: ${message}\n`),
    error: ({ err, line, faults }, message) => {
      const place = line === undefined ? "" : ` (line ${String(line)})`;
      const count = faults === undefined ? "" : ` (${String(faults)})`;
      const reason = err === undefined ? "" : `: ${sentenceOf(err)}`;
      say(`decern: ${message}${place}${count}${reason}\n`);
    },
  };
}

type Counts = BulkFileSummary["counts"];

/** Such as `OK 12, NO_MATCH 3`. */
export function countsText(counts: Counts): string {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return found.map(([status, count]) => `${status} ${grouped(count)}`).join(", ");
}

export function summaryText({ state, items, counts, parts }: BulkFileSummary, output: string): string {
  const total = `${plural(items, "input")}${items === 0 ? "" : `: ${countsText(counts)}`}`;
  if (state === "unchanged") return `${output} was complete: ${total}\n`;
  const kept = parts.kept === 0 ? "" : `, ${grouped(parts.kept)} of them from an earlier run`;
  return `${total}\n${plural(parts.total, "part")} in ${output}${kept}\n`;
}

/** What a stopped job leaves behind. */
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
