import type { ProfileOf } from "@decern/core";
import type { transactionRisk } from "./transaction-risk.js";

/** Applies unless the host, a profiles file or the caller sets another. */
export const defaultFraudPolicy: ProfileOf<typeof transactionRisk> = {
  highAmount: 1_000,
  maxPaymentsPerHour: 10,
  challengeScore: 40,
  declineScore: 75,
  riskyMerchantCategories: ["6051", "7995"],
};
