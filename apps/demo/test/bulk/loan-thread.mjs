import { serveBulkThread } from "@decern/bulk";
import { loanApproval, profiles } from "../../dist/decisions/index.js";

serveBulkThread({ decision: loanApproval, profiles: { "loan-approval": profiles["loan-approval"] } });
