import { type Decision, defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import * as steps from "./generated-rules.js";
import * as loan from "./loan-approval.js";

/** W1 as a decision of Decern. W3 asks for many, each with schemas of its own. */
export function loanDecision(id = loan.loanId): Decision<unknown, loan.LoanOutput> {
  return loanDecisionOf(loan.loanRules, id);
}

/** W1 with a rate that differs from one input to the next: no answer repeats the one before. */
export function variedLoanDecision(): Decision<unknown, loan.LoanOutput> {
  return loanDecisionOf(
    loan.loanRules.map((rule) => ({
      ...rule,
      emit: (input: loan.LoanInput, profile: loan.LoanProfile) => ({
        ...rule.emit(input, profile),
        rate: variedRate(input.applicant.income),
      }),
    })),
    loan.loanId,
  );
}

/** The rate of {@link variedLoanDecision}: the ring's inputs differ in their income. */
export function variedRate(income: number): number {
  return income / 7;
}

function loanDecisionOf(rules: typeof loan.loanRules, id: string): Decision<unknown, loan.LoanOutput> {
  return defineDecision({
    id,
    version: loan.loanVersion,
    description: "Whether, and at which rate, a loan is granted",
    inputSchema: typebox(loan.loanInput),
    outputSchema: typebox(loan.loanOutput),
    profileSchema: typebox(loan.loanProfile),
    rules,
  });
}

/** W2 as a decision of Decern. */
export function stepDecision(rules: number): Decision<unknown, steps.StepOutput> {
  return defineDecision({
    id: `steps-${rules}`,
    version: "1.0.0",
    inputSchema: typebox(steps.stepInput),
    outputSchema: typebox(steps.stepOutput),
    profileSchema: typebox(steps.stepProfile),
    rules: steps.generatedRules(rules),
  });
}
