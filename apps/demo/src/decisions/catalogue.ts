import { documentAccess } from "./document-access.js";
import { loanApproval } from "./loan-approval.js";
import { news2 } from "./news2.js";
import { transactionRisk } from "./transaction-risk.js";

/** Every decision of the demo. */
export const decisions = [loanApproval, transactionRisk, news2, documentAccess] as const;
