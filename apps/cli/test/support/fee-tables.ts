import { fileURLToPath } from "node:url";

/** The module with the contract of {@link feeTable}. */
export const contracts = fileURLToPath(new URL("./contracts.mjs", import.meta.url));

/** A table as CSV. */
export function feeTable(rows: readonly string[], version = "1.0.0", policy = "U"): string {
  const heading = "rule;zone;weightKg;out: fee;out: carrier;note";
  return ["table;fee", `version;${version}`, `hit policy;${policy}`, heading, ...rows].join("\n");
}
