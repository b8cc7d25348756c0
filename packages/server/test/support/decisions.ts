import { defineDecision } from "@decern/core";
import { z } from "zod";

/** Reaches every outcome of the table, as its input selects. */
export const outcomes = defineDecision({
  id: "outcomes",
  version: "1.2.0",
  description: "Ends as it is told <b>",
  meta: { owner: "tests" },
  inputSchema: z.object({ end: z.string(), amount: z.number().optional() }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({ limit: z.number() }),
  rules: [
    { id: "never", when: () => false, emit: () => ({ allowed: false }) },
    {
      id: "throws",
      when: (input) => {
        if (input.end === "throw") throw new Error("secret of the rule");
        return false;
      },
      emit: () => ({ allowed: false }),
    },
    {
      id: "within",
      when: (input, profile) => input.end === "ok" && (input.amount ?? 0) <= profile.limit,
      emit: () => ({ allowed: true }),
      explain: (_input, profile) => `Within ${profile.limit}`,
    },
  ],
});

/** Its output does not match its own schema. */
export const broken = defineDecision({
  id: "broken",
  version: "0.1.0",
  inputSchema: z.object({}),
  outputSchema: z.object({ rate: z.number().max(1) }),
  profileSchema: z.object({}),
  rules: [{ id: "only", when: () => true, emit: () => ({ rate: 2 }) }],
});

/** Ids that are also names of members that objects inherit. */
export const awkward = ["__proto__", "constructor", "toString"].map((id) =>
  defineDecision({
    id,
    version: "1",
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "only", when: () => true, emit: () => ({}) }],
  }),
);

export const decisions = [outcomes, broken] as const;
export const profiles = { outcomes: { limit: 100 } };
