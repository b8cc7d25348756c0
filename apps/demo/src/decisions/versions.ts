import type { VersionPolicy } from "@decern/core";
import { loanApproval } from "./loan-approval.js";

/** Which version of a decision evaluates calls that name none. */
export const versions: { readonly "loan-approval": VersionPolicy<typeof loanApproval.version> } = {
  "loan-approval": { default: loanApproval.version, retired: ["1.1.0"] },
};
