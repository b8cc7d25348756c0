import { defineDecision } from "@decern/core";
import { application, limits, offer } from "./loan-approval.schemas.js";

export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.0.0",
  description: "Whether an applicant gets a loan, and at which rate",
  inputSchema: application,
  outputSchema: offer,
  profileSchema: limits,
  // In order: the first rule that matches decides.
  rules: [
    {
      id: "score-too-low",
      when: (input, profile) => input.score < profile.minScore,
      emit: () => ({ approved: false, rate: 0 }),
      explain: (input, profile) => `Score ${input.score} is below ${profile.minScore}`,
    },
    {
      id: "amount-too-high",
      when: (input, profile) => input.amount > profile.maxAmount,
      emit: () => ({ approved: false, rate: 0 }),
      explain: (input, profile) => `Amount ${input.amount} is above ${profile.maxAmount}`,
    },
    {
      id: "standard",
      when: () => true,
      emit: () => ({ approved: true, rate: 4.9 }),
      explain: "Meets every criterion",
    },
  ],
});
