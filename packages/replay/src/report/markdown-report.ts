import { transitions } from "./changes.js";
import {
  allowance,
  asides,
  compared,
  comparisonHeadline,
  count,
  counted,
  headline,
  leftOutHeadline,
  notCompared,
  standing,
  unreadableLines,
  verdictNames,
  versions,
  whatWasRead,
} from "./headline.js";
import { code, comparisonParts, fitting, folded, type Part, plain, table } from "./markdown-comparison.js";
import type { Comparison, ReplayReport } from "./replay-report.js";

/** A comment on GitHub holds 65,536 characters. The rest is for what a script adds. */
const mostCharacters = 60_000;

const mostReasons = 15;

const mostQuiet = 20;

/** The report for a comment on a pull request: what changes in a table, the rest folded. */
export function markdownReport(report: ReplayReport, title: string): string {
  const isTouched = (comparison: Comparison): boolean =>
    transitions(comparison).length > 0 ||
    comparison.counts.changed + comparison.counts.failed + comparison.explainedDifferently > 0;
  const touched = report.decisions.filter(isTouched);
  const parts: readonly Part[] = [
    { rank: 0, text: summary(report, title) },
    ...touched.flatMap((decision) =>
      comparisonParts(
        decision,
        `#### ${code(decision.decisionId)} ${plain(versions(decision))}: ${comparisonHeadline(decision)}`,
        1,
      ),
    ),
    ...quiet(report.decisions.filter((decision) => !isTouched(decision))),
    ...asides(report).flatMap(({ kind, comparison, note }) =>
      comparisonParts(
        comparison,
        `#### ${kind} of ${code(comparison.decisionId)} ${plain(versions(comparison))}: ${comparisonHeadline(comparison)}\n\n${note}`,
        4,
      ),
    ),
    ...leftOut(report),
    ...unreadable(report),
  ];
  return fitting(parts, mostCharacters);
}

function summary(report: ReplayReport, title: string): string {
  const mark = { within: "✅", beyond: "❌", unproven: "⚠️" }[standing(report)];
  return [
    `### ${mark} ${plain(title)}: ${headline(report.counts)}`,
    "",
    `**${allowance(report)}.** ${whatWasRead(report).join(", ")}.`,
  ].join("\n");
}

/** Decisions without a changed result. */
function quiet(decisions: readonly Comparison[]): readonly Part[] {
  const same = decisions.filter(({ counts }) => compared(counts) > 0);
  if (same.length === 0) return [];
  const names = same
    .slice(0, mostQuiet)
    .map(({ decisionId, counts }) => `${code(decisionId)} (${counted(compared(counts), "result")})`);
  const rest = same.length - names.length;
  const all = rest === 0 ? names : [...names, `${counted(rest, "more decision")}`];
  return [{ rank: 2, text: `Unchanged: ${all.join(", ")}.` }];
}

function leftOut({ counts, reasons }: ReplayReport): readonly Part[] {
  const all = notCompared(counts);
  if (all === 0 && reasons.length === 0) return [];
  const rows = reasons
    .slice(0, mostReasons)
    .map(({ verdict, decisionId, reason, records }) => [
      count(records),
      verdictNames[verdict].name,
      code(decisionId),
      code(reason, 240),
    ]);
  const heads = ["Records", "Verdict", "Decision", "Reason"];
  const text = table(heads, ["right", "left", "left", "left"], rows);
  const name = leftOutHeadline(counts);
  return [{ rank: 3, text: rows.length === 0 ? name : folded(name, text) }];
}

function unreadable(report: ReplayReport): readonly Part[] {
  const [head, ...lines] = unreadableLines(report);
  if (head === undefined) return [];
  return [{ rank: 3, text: folded(head, lines.map((line) => `- ${code(line)}`).join("\n")) }];
}
