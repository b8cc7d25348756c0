import { DecernError } from "@decern/core";

/** The error for an invalid call or option. `detail` names it and says what is valid. */
export function refusal(detail: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail });
}
