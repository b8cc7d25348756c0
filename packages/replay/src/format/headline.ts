import type { Comparison, ReplayReport, Tally } from "../report/replay-report.js";
import { count, counted, period, share, shareOf } from "./figures.js";

/** Records of which both sides are known. */
export function compared({ unchanged, changed, failed }: Tally): number {
  return unchanged + changed + failed;
}

/** The result of a comparison in a sentence without a full stop, such as `7 of 50,000 results changed`. */
export function headline(counts: Tally): string {
  const all = compared(counts);
  if (all === 0) return "No results could be compared";
  const { changed, failed, inconclusive } = counts;
  if (changed === 0 && failed === 0) {
    const rest = inconclusive === 0 ? "" : `; ${count(inconclusive)} more could not be compared`;
    return `${all === 1 ? "The result did not change" : `No results changed (${count(all)} compared)`}${rest}`;
  }
  const of = `of ${counted(all, "result")}`;
  if (changed === 0) return `${count(failed)} ${of} failed`;
  const change = `${count(changed)} ${of} changed`;
  return failed === 0 ? change : `${change}, and ${count(failed)} failed`;
}

/** The same for one decision, with its share. */
export function comparisonHeadline({ counts, estimated }: Comparison): string {
  const touched = estimated.changed + estimated.failed;
  return touched === 0
    ? headline(counts)
    : `${headline(counts)} (${shareOf(touched, compared(estimated))}${isSampled({ counts, estimated }) ? " of calls, estimated" : ""})`;
}

/**
 * What a report says as a whole.
 * - `beyond`: too much changes or fails
 * - `unproven`: too little was compared to say so
 */
export function standing({
  isWithin,
  share: found,
  allowed,
}: ReplayReport): "within" | "beyond" | "unproven" {
  if (isWithin) return "within";
  return found > allowed ? "beyond" : "unproven";
}

/** How the shares stand to what is allowed. */
export function allowance(report: ReplayReport): string {
  if (compared(report.counts) === 0) return "Nothing was compared, so nothing is proven";
  const calls = isSampled(report) ? "calls, estimated from samples" : "calls";
  const changing = `${share(report.share)} of ${calls}; ${share(report.allowed)} allowed`;
  const { inconclusiveShare, allowedInconclusive } = report;
  return inconclusiveShare === 0
    ? changing
    : `${changing}. ${share(inconclusiveShare)} inconclusive; ${share(allowedInconclusive)} allowed`;
}

/** Whether records stand for more calls than themselves. */
function isSampled({ counts, estimated }: Pick<ReplayReport, "counts" | "estimated">): boolean {
  return compared(estimated) > compared(counts);
}

/** Records that say nothing about the change. */
export function notCompared({ notReproducible, inconclusive, skipped }: Tally): number {
  return notReproducible + inconclusive + skipped;
}

/** Such as `1.2.0 → 1.3.0`. */
export function versions({ before, after }: Comparison): string {
  const [from, to] = [before, after].map((list) => list.map(({ version }) => version).join(", "));
  return from === to ? `${from}` : `${from === "" ? "nothing" : from} → ${to === "" ? "nothing" : to}`;
}

/** What the list of reasons is about. */
export function leftOutHeadline(counts: Tally): string {
  const missing = `Not compared: ${counted(notCompared(counts), "record")}`;
  return counts.failed === 0 ? missing : `${missing}. Failed: ${count(counts.failed)}`;
}

/** What was read, in parts. */
export function whatWasRead({ records, unreadable, from, to, controlled }: ReplayReport): readonly string[] {
  return [
    counted(records, "record"),
    unreadable.count === 0
      ? undefined
      : `${count(unreadable.count)} that ${unreadable.count === 1 ? "is not a record" : "are not records"}`,
    period(from, to),
    `${count(controlled)} with a control run`,
  ].filter((part) => part !== undefined);
}

/** A headline and the first ones of what is not a record, such as a line of a file; empty where everything is. */
export function unreadableLines({ unreadable: { count: all, first } }: ReplayReport): readonly string[] {
  if (all === 0) return [];
  const rest = all - first.length;
  return [
    `Left out: ${count(all)} that ${all === 1 ? "is not a record" : "are not records"}`,
    ...first.map(({ at, reason }) => `${at}: ${reason}`),
    ...(rest === 0 ? [] : [`and ${count(rest)} more`]),
  ];
}

/** A comparison that counts nowhere else. */
export interface Aside {
  readonly kind: "Default" | "Shadow";
  readonly comparison: Comparison;
  /** Sentences. */
  readonly note: string;
}

/** What a report shows beside its decisions. */
export function asides({ defaults, shadows }: ReplayReport): readonly Aside[] {
  return [
    ...defaults.map((comparison): Aside => {
      const note =
        "Results of the candidate's default for calls for which the path or select chose a different version. Not counted above.";
      return { kind: "Default", comparison, note };
    }),
    ...shadows.map((comparison): Aside => {
      const { unpaired } = comparison;
      const missing = unpaired === 0 ? "" : ` The calls of ${counted(unpaired, "shadow")} were not found.`;
      const note = `Results of a shadow alongside the recorded calls. Not counted above.${missing}`;
      return { kind: "Shadow", comparison, note };
    }),
  ];
}
