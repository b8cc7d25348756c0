import { DecernError } from "@decern/core";

/** What is wrong with a file as a whole, as a job is refused with it. @param message - such as `is empty` */
export function unreadable(message: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems: [{ path: "/input", message }] });
}
