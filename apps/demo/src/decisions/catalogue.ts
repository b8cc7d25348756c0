import { documentAccess } from "./document-access.js";
import { instalmentPlan } from "./instalment-plan.js";
import { loanApproval } from "./loan-approval.js";
import { loanApproval2 } from "./loan-approval-2.js";
import { news2 } from "./news2.js";
import { transactionRisk } from "./transaction-risk.js";

/** Every decision of the demo, in its default version. */
export const defaultDecisions = [
  loanApproval,
  transactionRisk,
  news2,
  documentAccess,
  instalmentPlan,
] as const;

/** Every decision of the demo, in every version. */
export const decisions = [...defaultDecisions, loanApproval2] as const;
