export { decisions } from "./catalogue.js";
export { defaultProfiles } from "./default-profiles.js";
export { documentAccess } from "./document-access.js";
export type { Example } from "./example.js";
export { loanApproval } from "./loan-approval.js";
export { news2 } from "./news2.js";
export { transactionRisk } from "./transaction-risk.js";
