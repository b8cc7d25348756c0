import { DecernError } from "@decern/core";

/** The error of a wrong call or option; `detail` says which, and what would be right. */
export function refusal(detail: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail });
}
