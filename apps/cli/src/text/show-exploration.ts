import type { Exploration, LockDifference, RuleCoverage, RuleOverlap, Witness } from "@decern/testing";
import { grouped, jsonLine, plural, printable } from "./text.js";

/** As many rules with their witnesses fit on a screen. */
const mostRules = 8;

const mostOthers = 5;

/** What was found about a decision, for people to read. @param all - whether it may be longer than a screen */
export function showExploration(found: Exploration, all: boolean): string {
  const { decisionId, decisionVersion, runs, rules, overlaps, faults, noMatch, boundaries } = found;
  const reached = rules.filter(({ witness }) => witness !== undefined).length;
  const tried = `${grouped(runs)} valid inputs`;
  return [
    `${decisionId} ${decisionVersion}: ${reached} of ${rules.length} rules reached with ${tried}, seed ${found.seed}\n`,
    ...shownRules(rules, runs, all),
    ...section(
      "Overlaps: the first rule decides, and the second matches too",
      someOf(overlaps.map(showOverlap), all),
    ),
    ...section("No rule matches", noMatch === undefined ? [] : [line(noMatch)]),
    ...section(
      "Faults",
      someOf(
        faults.map(({ message, witness }) => `  ${printable(message)}\n  ${line(witness)}`),
        all,
      ),
    ),
    ...(boundaries.length === 0
      ? []
      : [
          `\n${plural(boundaries.length, "threshold")} between rules; --format json shows the inputs around them\n`,
        ]),
  ].join("");
}

/** All rules, or, where they are many, those that decide nothing. */
function shownRules(rules: readonly RuleCoverage[], runs: number, all: boolean): readonly string[] {
  if (all || rules.length <= mostRules) return rules.map((rule) => showRule(rule, runs));
  const unreached = rules.filter(({ witness }) => witness === undefined);
  const reached = rules.length - unreached.length;
  return [
    ...someOf(
      unreached.map((rule) => showRule(rule, runs)),
      all,
    ),
    `\n  ${plural(reached, "rule")} decided some input; --all shows one for each\n`,
  ];
}

function someOf(lines: readonly string[], all: boolean): readonly string[] {
  if (all || lines.length <= mostOthers) return lines;
  return [
    ...lines.slice(0, mostOthers),
    `  and ${grouped(lines.length - mostOthers)} more; --all shows them\n`,
  ];
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
  return `  ${first}, ${second}${differs ? " (with a different output)" : ""}\n  ${line(witness)}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`\n${title}\n`, ...lines];
}

function line({ input }: Witness): string {
  return `  ${jsonLine(input)}\n`;
}

/** Versions that behave differently, for people to read. */
export function showDifferences(differences: readonly LockDifference[], modulePath: string): string {
  if (differences.length === 0) return "Every version behaves as locked\n";
  const accepted = differences.map(({ decisionId, version }) => `--accept ${decisionId}@${version}`);
  return [
    ...differences.map(showDifference),
    "Give each changed decision a new version. To keep its version, accept the change:\n",
    `  decern lock ${modulePath} ${accepted.join(" ")}\n`,
  ].join("\n");
}

function showDifference({ decisionId, version, inputs, smallest, isProfileChanged }: LockDifference): string {
  const { input, before, after, result } = smallest;
  return [
    `${decisionId} ${version} gives ${inputs === 1 ? "a different result" : "different results"} for ${plural(inputs, "locked input")}`,
    ...(isProfileChanged ? ["  its default profile has changed too"] : []),
    `  smallest input  ${jsonLine(input)}`,
    `  locked          ${before}`,
    `  now             ${after === before ? `${after}, with a different output or explanation` : after}`,
    `  result now      ${jsonLine(result)}`,
    "",
  ].join("\n");
}
