import { documentAccess } from "./document-access.js";
import { instalmentPlan } from "./instalment-plan.js";
import { loanApproval } from "./loan-approval.js";
import { news2 } from "./news2.js";
import { transactionRisk } from "./transaction-risk.js";

/** Every decision of the demo, in its default version. */
export const decisions = [loanApproval, transactionRisk, news2, documentAccess, instalmentPlan] as const;
