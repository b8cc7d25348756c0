import { DecernError, type Decision } from "@decern/core";

/** The fault of a decision whose result has no JSON form, such as one with a cycle. */
export function unwritable({ id }: Decision, cause: unknown): DecernError {
  const detail = `decision "${id}" returned what cannot be written as JSON`;
  return new DecernError("EVALUATION_FAILED", { detail, cause });
}
