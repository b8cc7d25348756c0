import { readFileSync } from "node:fs";
import { readTable } from "@decern/table";
import { loanApproval } from "./loan-approval.js";
import { shippingFee } from "./shipping-fee.contract.js";

const file = new URL("../tables/shipping-fee.csv", import.meta.url);
const table = { name: "shipping-fee.csv", bytes: readFileSync(file) };

export const decisions = [loanApproval, readTable(shippingFee, table)] as const;
export const profiles = { "loan-approval": { minScore: 620, maxAmount: 50_000 } };
