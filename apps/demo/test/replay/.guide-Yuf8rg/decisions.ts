import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { Type } from "typebox";

export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.2.0",
  inputSchema: typebox(Type.Object({ amount: Type.Number({ exclusiveMinimum: 0 }), score: Type.Integer() })),
  outputSchema: typebox(Type.Object({ approved: Type.Boolean(), rate: Type.Number() })),
  profileSchema: typebox(Type.Object({ minScore: Type.Integer(), maxAmount: Type.Number() })),
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
    { id: "standard", when: () => true, emit: () => ({ approved: true, rate: 4.9 }), explain: "Meets every criterion" },
  ],
});

export const decisions = [loanApproval] as const;
export const profiles = { "loan-approval": { minScore: 640, maxAmount: 50_000 } };
