export { decisions, defaultDecisions, profiles, server, versions } from "./catalogue.js";
export { documentAccess } from "./document-access.js";
export { instalmentPlan } from "./instalment-plan.js";
export { loanApproval } from "./loan-approval.js";
export { loanApproval2 } from "./loan-approval-2.js";
export { news2 } from "./news2.js";
export { shippingFee, shippingFeeContract } from "./shipping-fee.js";
export { transactionRisk } from "./transaction-risk.js";
