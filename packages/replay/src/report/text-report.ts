import { visible } from "./changes.js";
import {
  allowance,
  asides,
  comparisonHeadline,
  count,
  headline,
  leftOutHeadline,
  notCompared,
  standing,
  unreadableLines,
  verdictNames,
  versions,
  whatWasRead,
} from "./headline.js";
import type { ReplayReport } from "./replay-report.js";
import { comparisonLines } from "./text-comparison.js";
import { type Terminal, wrap } from "./text-layout.js";

/** The report for a terminal: first what changes, then from what to what, then examples. */
export function textReport(report: ReplayReport, title: string, terminal: Terminal): string {
  const decisions = report.decisions.flatMap((decision) => [
    "",
    heading(terminal, visible(decision.decisionId), visible(versions(decision))),
    ...wrap(comparisonHeadline(decision), terminal.width),
    ...comparisonLines(decision, terminal),
  ]);
  const beside = asides(report).flatMap(({ kind, comparison, note }) => [
    "",
    heading(terminal, `${kind} of ${visible(comparison.decisionId)}`, visible(versions(comparison))),
    ...wrap(`${comparisonHeadline(comparison)}. ${note}`, terminal.width),
    ...comparisonLines(comparison, terminal, 2),
  ]);
  const lines = [
    ...summary(report, title, terminal),
    ...decisions,
    ...beside,
    ...leftOut(report, terminal),
    ...unreadable(report, terminal),
  ];
  return `${lines.join("\n")}\n`;
}

function summary(report: ReplayReport, title: string, terminal: Terminal): readonly string[] {
  const marks = {
    within: ["✓", terminal.good],
    beyond: ["✗", terminal.bad],
    unproven: ["⚠", terminal.attention],
  } as const;
  const [mark, tint] = marks[standing(report)];
  return [
    ...wrap(visible(title), terminal.width).map(terminal.bold),
    ...wrap(`${mark} ${headline(report.counts)}`, terminal.width).map((line) => terminal.bold(tint(line))),
    ...wrap(allowance(report), terminal.width - 2).map((line) => `  ${line}`),
    ...wrap(whatWasRead(report).join(", "), terminal.width - 2).map((line) => terminal.dim(`  ${line}`)),
  ];
}

function heading(terminal: Terminal, name: string, detail: string): string {
  const [first = "", ...others] = wrap(`${name}  ${detail}`, terminal.width);
  return [terminal.bold(first), ...others].join("\n");
}

/** What was not compared, and why. */
function leftOut({ counts, reasons }: ReplayReport, terminal: Terminal): readonly string[] {
  const all = notCompared(counts);
  if (all === 0 && reasons.length === 0) return [];
  const figures = Math.max(...reasons.map(({ records }) => count(records).length), 7);
  const names = Math.max(...reasons.map(({ verdict }) => verdictNames[verdict].name.length), 0);
  const start = figures + names + 6;
  return [
    "",
    ...wrap(leftOutHeadline(counts), terminal.width).map(terminal.bold),
    ...reasons.flatMap(({ verdict, decisionId, reason, records }) => {
      const [first = "", ...others] = wrap(visible(`${decisionId}: ${reason}`), terminal.width - start);
      const head = `  ${count(records).padStart(figures)}  ${verdictNames[verdict].name.padEnd(names)}  `;
      return [head + first, ...others.map((line) => " ".repeat(start) + line)];
    }),
  ];
}

function unreadable(report: ReplayReport, terminal: Terminal): readonly string[] {
  const [head, ...lines] = unreadableLines(report);
  if (head === undefined) return [];
  return [
    "",
    ...wrap(head, terminal.width).map(terminal.bold),
    ...lines.flatMap((line) => wrap(visible(line), terminal.width - 2).map((part) => `  ${part}`)),
  ];
}
