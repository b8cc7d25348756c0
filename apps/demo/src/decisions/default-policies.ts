import type { ProfileOf } from "@decern/core";
import type { loanApproval } from "./loan-approval.js";
import type { transactionRisk } from "./transaction-risk.js";

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

/** Applies unless the host, a profiles file or the caller sets another. */
export const defaultFraudPolicy: ProfileOf<typeof transactionRisk> = {
  highAmount: 1_000,
  maxPaymentsPerHour: 10,
  challengeScore: 40,
  declineScore: 75,
  riskyMerchantCategories: ["6051", "7995"],
};
