import { z } from "zod";
import { defineDecision } from "../../packages/core/src/index.js";

/** A loan in two rules. A score of 13 makes a rule throw. */
export const loan = defineDecision({
  id: "loan",
  version: "1.2.0",
  inputSchema: z.object({ score: z.number().int() }),
  outputSchema: z.object({ approved: z.boolean(), rate: z.number() }),
  profileSchema: z.object({ minScore: z.number().default(600) }),
  rules: [
    {
      id: "too-low",
      when: (input, profile) => {
        if (input.score === 13) throw new Error("secret of the rule");
        return input.score < profile.minScore;
      },
      emit: () => ({ approved: false, rate: 0 }),
    },
    { id: "standard", when: () => true, emit: () => ({ approved: true, rate: 4.9 }) },
  ],
});

/** An access check. */
export const access = defineDecision({
  id: "access.v1~beta",
  version: "1.0.0",
  inputSchema: z.object({ role: z.string() }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({ roles: z.array(z.string()).default(["admin"]) }),
  rules: [
    {
      id: "known",
      when: (input, profile) => profile.roles.includes(input.role),
      emit: () => ({ allowed: true }),
    },
    { id: "other", when: () => true, emit: () => ({ allowed: false }) },
  ],
});
