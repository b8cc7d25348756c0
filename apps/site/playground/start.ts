import { defineDecision } from "@decern/core";
import { z } from "zod";

export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.0.0",
  description: "Whether a loan is approved, and its rate.",
  inputSchema: z.object({
    amount: z.number().positive().meta({ title: "Amount" }),
    score: z.int().min(300).max(850).meta({ title: "Credit score" }),
    employed: z.boolean().meta({ title: "Employed" }),
  }),
  outputSchema: z.object({
    approved: z.boolean(),
    rate: z.number().meta({ title: "Rate in percent" }),
  }),
  // Thresholds, which can differ per tenant.
  profileSchema: z.object({
    minScore: z.int().default(620),
    maxAmount: z.number().default(50_000),
  }),
  rules: [
    {
      id: "score-too-low",
      when: (input, profile) => input.score < profile.minScore,
      emit: () => ({ approved: false, rate: 0 }),
      explain: ({ score }, { minScore }) => `Score ${score} is below ${minScore}`,
    },
    {
      id: "amount-too-high",
      when: ({ amount, employed }, { maxAmount }) => !employed && amount > maxAmount,
      emit: () => ({ approved: false, rate: 0 }),
      explain: (input) => `Without employment, ${input.amount} is too high`,
    },
    {
      id: "prime",
      when: (input) => input.score >= 740,
      emit: () => ({ approved: true, rate: 3.9 }),
      explain: ({ score }) => `Score ${score} is at least 740`,
    },
    {
      id: "standard",
      when: () => true,
      emit: () => ({ approved: true, rate: 4.9 }),
    },
  ],
  meta: {
    examples: [
      { name: "Standard", input: { amount: 9000, score: 680, employed: true } },
      { name: "Low score", input: { amount: 9000, score: 580, employed: true } },
      { name: "Prime", input: { amount: 9000, score: 790, employed: true } },
    ],
  },
});
