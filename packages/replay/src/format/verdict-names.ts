import type { Verdict } from "../report/replay-report.js";

/** How verdicts are called in reports for people, and what they mean. */
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
