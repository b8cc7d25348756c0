import { defineDecision } from "@decern/core";
import { z } from "zod";

const applicant = z.object({ score: z.int().optional(), tags: z.array(z.string()).optional() });

/** Approves loans up to a limit. */
export const loan = defineDecision({
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({
    amount: z.number().min(0),
    name: z.string().optional(),
    note: z.string().nullable().optional(),
    vip: z.boolean().optional(),
    applicant: applicant.optional(),
  }),
  outputSchema: z.object({ approved: z.boolean(), text: z.string() }),
  profileSchema: z.object({ limit: z.number().default(1000) }),
  rules: [
    {
      id: "bug",
      when: ({ amount }) => amount === 13,
      emit: () => {
        throw new Error("the secret of the rule");
      },
    },
    {
      id: "small",
      when: ({ amount }, { limit }) => amount <= limit,
      emit: ({ name = "nobody", note, applicant: who }) => ({
        approved: true,
        text: [
          name,
          note === null ? "null" : (note ?? "-"),
          who?.score ?? "-",
          who?.tags?.join("+") ?? "-",
        ].join(" "),
      }),
    },
    { id: "vip", when: ({ vip }) => vip === true, emit: () => ({ approved: true, text: "vip" }) },
    {
      id: "large",
      when: ({ amount }) => amount < 1_000_000,
      emit: () => ({ approved: false, text: "too much" }),
    },
  ],
});

/** Adds two numbers, as the functions in the documentation of the vendors do. */
export const add = defineDecision({
  id: "add",
  version: "1.0.0",
  inputSchema: z.object({ a: z.number().optional(), b: z.number().optional() }),
  outputSchema: z.number(),
  profileSchema: z.object({}),
  rules: [{ id: "sum", when: () => true, emit: ({ a = 0, b = 0 }) => a + b }],
});

export const silent = { error() {} };
