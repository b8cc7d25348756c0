import { type Decision, defineDecision } from "@decern/core";
import { z } from "zod";

const points = defineDecision({
  id: "credit-points",
  version: "1.3.0",
  inputSchema: z.object({ lateBills: z.number().int() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({ perLateBill: z.number().default(50) }),
  rules: [
    { id: "no-bills", when: () => false, emit: () => ({ points: 0 }) },
    {
      id: "counted",
      when: () => true,
      emit: (input, profile) => ({ points: 700 - input.lateBills * profile.perLateBill }),
      explain: (input) => `${input.lateBills} late bills`,
    },
  ],
});

const risk = defineDecision({
  id: "credit-risk",
  version: "2.0.1",
  uses: [points],
  inputSchema: z.object({ lateBills: z.number().int() }),
  outputSchema: z.object({ high: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "few-points",
      when: (input, _profile, context) => {
        const result = context.evaluate(points, { lateBills: input.lateBills });
        return result.status === "OK" && result.data.points < 600;
      },
      emit: () => ({ high: true }),
      explain: "Fewer than 600 points",
    },
    { id: "enough-points", when: () => true, emit: () => ({ high: false }), explain: "At least 600 points" },
  ],
});

const outputSchema = z.object({ approved: z.boolean() });
const profileSchema = z.object({ limit: z.number().min(0), currency: z.string().default("EUR") });

const examplesOf = (...examples: readonly { readonly name: string; readonly input: unknown }[]) => ({
  meta: { examples },
});

const first = defineDecision({
  id: "loan",
  version: "1.0.0",
  description: "Decides by the amount alone",
  ...examplesOf({ name: "Small loan", input: { amount: 500 } }),
  inputSchema: z.object({ amount: z.number() }),
  outputSchema,
  profileSchema,
  rules: [
    {
      id: "too-much",
      when: (input, profile) => input.amount > profile.limit,
      emit: () => ({ approved: false }),
      explain: (_input, profile) => `More than ${profile.limit} ${profile.currency}`,
    },
    { id: "small-enough", when: () => true, emit: () => ({ approved: true }), explain: "Within the limit" },
  ],
});

const second = defineDecision({
  id: "loan",
  version: "2.0.0",
  description: "Also asks for the risk of the borrower",
  ...examplesOf(
    { name: "Pays on time", input: { amount: 5000, lateBills: 0 } },
    { name: "Pays late", input: { amount: 5000, lateBills: 4 } },
  ),
  uses: [risk],
  inputSchema: z.object({ amount: z.number(), lateBills: z.number().int() }),
  outputSchema,
  profileSchema,
  rules: [
    {
      id: "too-much",
      when: (input, profile) => input.amount > profile.limit,
      emit: () => ({ approved: false }),
      explain: (_input, profile) => `More than ${profile.limit} ${profile.currency}`,
    },
    {
      id: "risky",
      when: (input, _profile, context) => {
        const result = context.evaluate(risk, { lateBills: input.lateBills });
        return result.status === "OK" && result.data.high;
      },
      emit: () => ({ approved: false }),
      explain: "The risk is high",
    },
    { id: "fine", when: () => true, emit: () => ({ approved: true }), explain: "The risk is low" },
  ],
});

const third = defineDecision({
  id: "loan",
  version: "3.0.0-beta+1",
  description: "Says yes to everybody",
  ...examplesOf({ name: "Anybody", input: { name: "Ada" } }),
  inputSchema: z.object({ name: z.string() }),
  outputSchema,
  profileSchema,
  rules: [{ id: "yes", when: () => true, emit: () => ({ approved: true }), explain: "Always" }],
});

const anything = z.object({ depth: z.number() });

/** A decision that uses the one given, if there is one. */
function link(depth: number, next: Decision<{ depth: number }> | undefined): Decision<{ depth: number }> {
  const uses = next === undefined ? [] : [next];
  return defineDecision({
    id: `level-${depth}-of-the-chain`,
    version: "1.0.0",
    uses,
    inputSchema: anything,
    outputSchema: anything,
    profileSchema: z.object({}),
    rules: [
      {
        id: "next-level",
        when: (input, _profile, context) => {
          for (const one of uses) context.evaluate(one, { depth: input.depth + 1 });
          return true;
        },
        emit: (input) => input,
      },
    ],
  });
}

/** Decisions that use one another, as deep as they may: the last one uses fifteen others. */
export const chain: Decision<{ depth: number }>[] = [];
for (let depth = 0; depth < 16; depth += 1) chain.push(link(depth, chain.at(-1)));

/** Three versions of one decision. The second uses another decision, which uses a third one. */
export const loans = [first, second, third] as const;

export const loanVersions = {
  default: "2.0.0",
  deprecated: {
    "1.0.0": { since: "2026-01-31", sunset: "2096-06-30", link: "https://example.com/loans" },
  },
} as const;

/** The default profile, one that callers may choose, and one that they may not. */
export const loanProfiles = {
  loan: { limit: 10_000 },
  "loan#strict": { limit: 1000, currency: "USD" },
  "loan#internal": { limit: 1_000_000 },
} as const;
