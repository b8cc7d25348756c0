import type { LockDifference } from "@decern/testing";
import { plural } from "../command-line/progress.js";
import { jsonLine } from "./printable.js";

/** Versions that do not do what was locked, for people to read. */
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
