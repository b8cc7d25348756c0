import { defineDecision } from "@decern/core";
import { z } from "zod";
import type { LockedModule } from "../../src/index.js";

/** What a test changes about a loan decision. */
interface Terms {
  readonly version?: string;
  /** From this score on, a loan is granted. */
  readonly score?: number;
  /** From this amount on, the rate is higher; no rule of its own decides that. */
  readonly largeAmount?: number;
  /** Of large amounts. The schema refuses `NaN`. */
  readonly rate?: number;
  readonly explanation?: string;
}

export function loan({
  version = "1.0.0",
  score = 600,
  largeAmount = 5_000,
  rate = 7,
  explanation = "Good enough",
}: Terms = {}) {
  return defineDecision({
    id: "loan",
    version,
    inputSchema: z.object({
      score: z.int().min(300).max(850),
      amount: z.number().min(1).max(1_000_000).multipleOf(0.01),
    }),
    outputSchema: z.object({ rate: z.number() }),
    profileSchema: z.object({ maxAmount: z.number().default(100_000) }),
    meta: {
      examples: [
        {
          name: "Granted",
          input: { score: 700, amount: 1_000 },
          expect: { status: "OK", matchedRule: "granted" },
        },
        {
          name: "Score",
          input: { score: 400, amount: 1_000 },
          expect: { status: "OK", matchedRule: "score" },
        },
      ],
    },
    rules: [
      { id: "amount", when: ({ amount }, { maxAmount }) => amount > maxAmount, emit: () => ({ rate: 0 }) },
      { id: "score", when: (input) => input.score < score, emit: () => ({ rate: 0 }) },
      {
        id: "granted",
        when: () => true,
        emit: ({ amount }) => ({ rate: amount >= largeAmount ? rate : 5 }),
        explain: explanation,
      },
    ],
  });
}

/** Uses the loan decision. */
export function offer(terms: Terms = {}) {
  const used = loan(terms);
  return defineDecision({
    id: "offer",
    version: "1.0.0",
    inputSchema: z.object({ score: z.int().min(300).max(850) }),
    outputSchema: z.object({ rate: z.number() }),
    profileSchema: z.object({}),
    uses: [used],
    meta: { examples: [{ name: "Some", input: { score: 700 }, expect: { status: "OK" } }] },
    rules: [
      {
        id: "offered",
        when: () => true,
        emit: ({ score }, _profile, context) => {
          const result = context.evaluate(used, { score, amount: 20_000 });
          return { rate: result.status === "OK" ? result.data.rate : 0 };
        },
      },
    ],
  });
}

/** Few runs: what is looked for here is found among the first. */
export const runs = 2_000;

export function moduleOf(terms: Terms = {}, profiles?: LockedModule["profiles"]): LockedModule {
  return { decisions: [loan(terms)], profiles };
}
