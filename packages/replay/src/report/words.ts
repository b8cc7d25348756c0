import type { Comparison, ReplayReport, Tally, Verdict } from "./replay-report.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

const precise = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

// Quantiles are known to within 1 %.
const rough = new Intl.NumberFormat("en", { maximumSignificantDigits: 2, signDisplay: "exceptZero" });

const signed = new Intl.NumberFormat("en", { maximumFractionDigits: 0, signDisplay: "exceptZero" });

const percent = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

const nearlyAll = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number of records or calls, such as `50,000`. */
export function count(value: number): string {
  return whole.format(value);
}

/** A number of an output, such as `8.11`. */
export function figure(value: number): string {
  return isExtreme(value) ? value.toExponential(3) : precise.format(value);
}

/** By how many more or fewer, such as `+228`. */
export function signedCount(value: number): string {
  return signed.format(value);
}

/** About how large a difference is, such as `+3`. */
export function difference(value: number): string {
  return isExtreme(value) ? `${value > 0 ? "+" : ""}${value.toExponential(3)}` : rough.format(value);
}

/** Written out, it would be mostly zeros. */
function isExtreme(value: number): boolean {
  const size = Math.abs(value);
  return size >= 1e12 || (size < 1e-4 && size > 0);
}

/** A share from 0 to 1 in per cent. It says 0% and 100% only of none and all. */
export function share(value: number): string {
  const hundredfold = value * 100;
  if (hundredfold > 0 && hundredfold < 0.001) return "under 0.001%";
  if (hundredfold < 10) return `${percent.format(hundredfold)}%`;
  if (hundredfold < 99) return `${tenths.format(hundredfold)}%`;
  return hundredfold > 99.99 && hundredfold < 100 ? "over 99.99%" : `${nearlyAll.format(hundredfold)}%`;
}

/** `part` of `all`, in per cent. */
function shareOf(part: number, all: number): string {
  return share(all === 0 ? 0 : part / all);
}

/** Such as `1 record` and `2 records`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** An instant to the second, in UTC. */
export function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** From when to when, to the minute. Absent without records. */
export function period(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [start, end] = [from, to].map((iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`);
  if (start === undefined || end === undefined || start === end) return `${start} UTC`;
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  return `${start} to ${isSameDay ? end.slice(11) : end} UTC`;
}

/** Records of which both sides are known. */
export function compared({ unchanged, changed, failed }: Tally): number {
  return unchanged + changed + failed;
}

/** The result of a comparison in a sentence without a full stop, such as `7 of 50,000 results changed`. */
export function headline(counts: Tally): string {
  const all = compared(counts);
  if (all === 0) return "No results could be compared";
  const { changed, failed, inconclusive, notReproducible } = counts;
  if (changed === 0 && failed === 0) {
    const others = inconclusive + notReproducible;
    const rest = others === 0 ? "" : `; ${count(others)} more could not be compared`;
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

/** The shares next to their limits. */
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

/** Phrases about the records that were read. */
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

/** A headline and the first lines that aren't records; empty if all are. */
export function unreadableLines({ unreadable: { count: all, first } }: ReplayReport): readonly string[] {
  if (all === 0) return [];
  const rest = all - first.length;
  return [
    `Left out: ${count(all)} that ${all === 1 ? "is not a record" : "are not records"}`,
    ...first.map(({ at, reason }) => `${at}: ${reason}`),
    ...(rest === 0 ? [] : [`and ${count(rest)} more`]),
  ];
}

/** How reports for people name what became of a record, and what that means. */
export const verdictNames: {
  readonly [Name in Verdict]: { readonly name: string; readonly meaning: string };
} = {
  unchanged: { name: "unchanged", meaning: "The same status, rule and output" },
  changed: { name: "changed", meaning: "A different status, rule or output" },
  failed: { name: "failed", meaning: "The candidate fails where the recorded call did not" },
  notReproducible: {
    name: "not reproducible",
    meaning: "The recorded version no longer gives the recorded result",
  },
  inconclusive: { name: "inconclusive", meaning: "A rule needs what was masked, or the payload is gone" },
  skipped: { name: "skipped", meaning: "The candidate does not have the decision" },
};
