import { type ShadowPolicy, stableBucket, type VersionPolicy } from "@decern/core";
import { decisions, loanApproval, loanApproval2, versions } from "./decisions/index.js";

const current = loanApproval.version;
const candidate = loanApproval2.version;
const policy = versions["loan-approval"];

/** The part of a host's options that serves two versions of `loan-approval`. */
interface RollOut {
  readonly decisions: typeof decisions;
  readonly versions: { readonly "loan-approval": VersionPolicy<typeof current | typeof candidate> };
  readonly shadow: { readonly "loan-approval"?: ShadowPolicy<typeof candidate> };
}

/**
 * Serves version 2.0.0 of `loan-approval` beside version 1.2.0, and moves callers to it step by step.
 *
 * @param percent - how many of the callers get 2.0.0. Each caller keeps its version, and a higher share moves nobody back.
 *   Calls without a caller get 1.2.0. At 100, version 2.0.0 is the default, and 1.2.0 is deprecated.
 */
export function rollOut(percent: number): RollOut {
  if (percent === 100) {
    const notice = { since: "2026-12-01", sunset: "2027-06-30", link: "https://example.com/loan-approval-2" };
    const switched = { ...policy, default: candidate, deprecated: { [current]: notice } };
    return { decisions, versions: { "loan-approval": switched }, shadow: {} };
  }
  const select: VersionPolicy["select"] = ({ caller }) => {
    if (caller === undefined) return undefined;
    return stableBucket(caller, "loan-approval-2.0.0") < percent / 100 ? candidate : undefined;
  };
  return {
    decisions,
    versions: { "loan-approval": { ...policy, select } },
    // Those who still get the current version show how often the candidate would have replied otherwise.
    shadow: { "loan-approval": { version: candidate, sample: 1 } },
  };
}
