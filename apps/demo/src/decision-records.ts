import { type DecisionLog, decisionLog, ndjsonFiles } from "@decern/decision-log";
import type { decisions } from "./decisions/index.js";

/**
 * Keeps a record of every decision in files. Customers of loans are found and erased by their number, which no file has.
 *
 * @param folder - created if it does not exist
 * @param subjectKey - key of the customers' pseudonyms; without it, records have none
 */
export function decisionRecords(folder: string, subjectKey: string | undefined): DecisionLog {
  return decisionLog<typeof decisions>({
    store: ndjsonFiles(folder),
    mask: { "loan-approval": ["/input/customer"] },
    subject: subjectKey === undefined ? undefined : { key: subjectKey, of: { "loan-approval": customerOf } },
    // Documents are opened all day.
    sample: { "document-access": { OK: 0.1 } },
  });
}

/** Inputs are recorded before they are validated. */
function customerOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("customer" in input)) return undefined;
  return typeof input.customer === "string" && input.customer !== "" ? input.customer : undefined;
}
