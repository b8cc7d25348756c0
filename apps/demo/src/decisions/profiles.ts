import type { ProfilesOf } from "@decern/core";
import type { decisions } from "./catalogue.js";
import { defaultLendingPolicy, strictLendingPolicy } from "./loan-approval-policies.js";
import { defaultFraudPolicy } from "./transaction-risk-policy.js";

/** The profiles that apply unless the caller or a profiles file sets others. Those with a `#name` apply where they are named. */
export const profiles: ProfilesOf<typeof decisions> = {
  "loan-approval": defaultLendingPolicy,
  "loan-approval#strict": strictLendingPolicy,
  "transaction-risk": defaultFraudPolicy,
  news2: { monitorEveryHours: { zero: 12, low: 6, lowMedium: 1, medium: 1 } },
  "document-access": {
    clearances: { staff: "internal", editor: "confidential", director: "secret" },
    editorRoles: ["editor", "director"],
  },
  "instalment-plan": { minDepositShare: 0.1, interestFreeMonths: 12 },
};
