import type { Exploration, RuleCoverage, RuleOverlap, Witness } from "@decern/testing";
import { grouped, plural } from "../command-line/progress.js";
import { jsonLine, printable } from "./printable.js";

/** What was found about a decision, for people to read. */
export function showExploration(found: Exploration): string {
  const { decisionId, decisionVersion, runs, rules, overlaps, faults, noMatch, boundaries } = found;
  const reached = rules.filter(({ witness }) => witness !== undefined).length;
  const tried = `${grouped(runs)} valid inputs`;
  return [
    `${decisionId} ${decisionVersion}: ${reached} of ${rules.length} rules reached with ${tried}, seed ${found.seed}\n`,
    ...rules.map((rule) => showRule(rule, runs)),
    ...section(
      "Overlaps: the first rule decides, and the second one matches, too",
      overlaps.map(showOverlap),
    ),
    ...section("No rule matches", noMatch === undefined ? [] : [line(noMatch)]),
    ...section(
      "Faults",
      faults.map(({ message, witness }) => `  ${printable(message)}\n  ${line(witness)}`),
    ),
    ...(boundaries.length === 0
      ? []
      : [
          `\n${plural(boundaries.length, "threshold")} between rules; --format json shows the inputs around them\n`,
        ]),
  ].join("");
}

function showRule({ ruleId, decided, matched, witness, shadowedBy }: RuleCoverage, runs: number): string {
  if (witness !== undefined) return `\n  ${ruleId}, decided ${grouped(decided)}\n  ${line(witness)}`;
  const why =
    matched === 0
      ? `no witness in ${grouped(runs)}`
      : `matched ${grouped(matched)}, but an earlier rule decided: ${shadowedBy.join(", ")}`;
  return `\n  ${ruleId}: ${why}\n`;
}

function showOverlap({ rules: [first, second], witness, differs }: RuleOverlap): string {
  return `  ${first}, ${second}${differs ? " (with another output)" : ""}\n  ${line(witness)}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`\n${title}\n`, ...lines];
}

function line({ input }: Witness): string {
  return `  ${jsonLine(input)}\n`;
}
