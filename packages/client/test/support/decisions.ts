import { defineDecision } from "@decern/core";
import { z } from "zod";

export const loan = defineDecision({
  id: "loan-approval",
  version: "1.0.0",
  inputSchema: z.object({ amount: z.number(), score: z.number() }),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({ minScore: z.number().default(600) }),
  rules: [
    {
      id: "score-too-low",
      when: (input, profile) => input.score < profile.minScore,
      emit: () => ({ approved: false }),
      explain: (input, profile) => `Score ${input.score} is below ${profile.minScore}`,
    },
    { id: "small", when: (input) => input.amount < 10_000, emit: () => ({ approved: true }) },
  ],
});

export const decisions = [loan];
