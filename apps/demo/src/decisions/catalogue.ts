import type { ProfilesOf, VersionPolicy } from "@decern/core";
import type { ServerOptions } from "@decern/server";
import { documentAccess } from "./document-access.js";
import { instalmentPlan } from "./instalment-plan.js";
import { defaultLendingPolicy, loanApproval, strictLendingPolicy } from "./loan-approval.js";
import { loanApproval2 } from "./loan-approval-2.js";
import { news2 } from "./news2.js";
import { shippingFee } from "./shipping-fee.js";
import { defaultFraudPolicy, transactionRisk } from "./transaction-risk.js";

/** Every decision of the demo, in its default version. */
export const defaultDecisions = [
  loanApproval,
  transactionRisk,
  news2,
  documentAccess,
  instalmentPlan,
  shippingFee,
] as const;

/** Every decision of the demo, in every version. */
export const decisions = [...defaultDecisions, loanApproval2] as const;

/** Which version of a decision evaluates calls that name none. */
export const versions: { readonly "loan-approval": VersionPolicy<typeof loanApproval.version> } = {
  "loan-approval": { default: loanApproval.version, retired: ["1.1.0"] },
};

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
  "shipping-fee": { expressFee: 6.5 },
};

/** What a server of these decisions needs besides. */
export const server: Pick<ServerOptions, "callerProfiles"> = {
  callerProfiles: { "loan-approval": ["strict"] },
};
