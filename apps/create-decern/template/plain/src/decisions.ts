import { loanApproval } from "./loan-approval.js";

export const decisions = [loanApproval] as const;
export const profiles = { "loan-approval": { minScore: 620, maxAmount: 50_000 } };
