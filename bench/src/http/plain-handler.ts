import { createReference, type ReferenceResult } from "../contestants/reference.js";
import * as loan from "../workload/loan-approval.js";

/** What the hand-written routes of every host call: the reference, on W1. */
export const evaluateLoan: (input: unknown) => ReferenceResult<loan.LoanOutput> = createReference(
  {
    id: loan.loanId,
    version: loan.loanVersion,
    input: loan.loanInput,
    output: loan.loanOutput,
    profile: loan.loanProfile,
    rules: loan.loanRules,
  },
  loan.theProfile,
);

/** HTTP status of a result. */
export function statusOf(result: ReferenceResult<unknown>): number {
  return result.status === "OK" ? 200 : 400;
}

/** `input` of a body, as the standalone server takes it. */
export function inputOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "input" in body ? body.input : undefined;
}
