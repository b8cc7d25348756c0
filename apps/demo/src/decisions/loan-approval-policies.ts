import type { ProfileOf } from "@decern/core";
import type { loanApproval } from "./loan-approval.js";

type LendingPolicy = ProfileOf<typeof loanApproval>;

/** Applies unless the host, a profiles file or the caller sets another. */
export const defaultLendingPolicy: LendingPolicy = {
  minScore: 620,
  maxDti: 0.4,
  maxAmount: 75_000,
  blockedCountries: ["KP", "IR", "SY"],
};

/** For lenders who take less risk. */
export const strictLendingPolicy: LendingPolicy = {
  ...defaultLendingPolicy,
  minScore: 700,
  maxDti: 0.3,
  maxAmount: 25_000,
};
