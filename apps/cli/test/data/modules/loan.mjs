import { defineDecision } from "@decern/core";
import { z } from "zod";

/** A decision with a threshold in a rule, and another one in its profile. */
export function loan({ version = "1.0.0", most = 5000 } = {}) {
  return defineDecision({
    id: "loan",
    version,
    inputSchema: z.object({ amount: z.int().min(0).max(1_000_000), customer: z.string().optional() }),
    outputSchema: z.object({ rate: z.number() }),
    profileSchema: z.object({ small: z.int() }),
    meta: {
      examples: [{ name: "small", input: { amount: 10 }, expect: { status: "OK", matchedRule: "small" } }],
    },
    rules: [
      {
        id: "small",
        when: (input, profile) => input.amount <= profile.small,
        emit: () => ({ rate: 3 }),
        explain: (input) => `${input.amount} is small`,
      },
      { id: "large", when: (input) => input.amount <= most, emit: () => ({ rate: 5 }) },
    ],
  });
}

/** A decision with a rule that an earlier one always decides for. */
export const shadowed = defineDecision({
  id: "shadowed",
  version: "1.0.0",
  inputSchema: z.object({ amount: z.int().min(0).max(100) }),
  outputSchema: z.object({ size: z.string() }),
  profileSchema: z.object({}),
  rules: [
    { id: "any", when: () => true, emit: () => ({ size: "any" }) },
    { id: "never", when: (input) => input.amount > 50, emit: () => ({ size: "large" }) },
  ],
});
