import type { ReplayReport } from "../../report/replay-report.js";
import { count, counted, period } from "../figures.js";
import {
  allowance,
  asides,
  comparisonHeadline,
  headline,
  leftOutHeadline,
  notCompared,
  standing,
  versions,
} from "../headline.js";
import { verdictNames } from "../verdict-names.js";
import { visible } from "../visible.js";
import { wrap } from "./columns.js";
import { comparisonLines } from "./comparison-lines.js";
import type { Terminal } from "./terminal.js";

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
  const lines = [...summary(report, title, terminal), ...decisions, ...beside, ...leftOut(report, terminal)];
  return `${lines.join("\n")}\n`;
}

function summary(report: ReplayReport, title: string, terminal: Terminal): readonly string[] {
  const { records, from, to, controlled } = report;
  const marks = {
    within: ["✓", terminal.good],
    beyond: ["✗", terminal.bad],
    unproven: ["⚠", terminal.attention],
  } as const;
  const [mark, tint] = marks[standing(report)];
  const read = [counted(records, "record"), period(from, to), `${count(controlled)} with a control run`];
  return [
    ...wrap(visible(title), terminal.width).map(terminal.bold),
    ...wrap(`${mark} ${headline(report.counts)}`, terminal.width).map((line) => terminal.bold(tint(line))),
    ...wrap(allowance(report), terminal.width - 2).map((line) => `  ${line}`),
    ...wrap(read.filter((part) => part !== undefined).join(", "), terminal.width - 2).map((line) =>
      terminal.dim(`  ${line}`),
    ),
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
