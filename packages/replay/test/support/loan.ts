import { defineDecision } from "@decern/core";
import { z } from "zod";

/** Where a version of the loan draws its lines. */
export interface Lines {
  readonly version?: string;
  /** Scores from here on get the prime rate. */
  readonly prime?: number;
  readonly primeRate?: number;
  readonly explanation?: string;
  /** A rule that looks at the name. */
  readonly readsName?: boolean;
  /** A rule that quotes the name in its explanation, not letter by letter. */
  readonly explainsName?: boolean;
  /** What a rule does with its input, whatever comes of it. */
  readonly look?: (input: object) => unknown;
  readonly shortestName?: number;
  /** Scores at which a rule throws. */
  readonly broken?: readonly number[];
}

/** A loan decision with several outcomes, in variants. A score of 100 is no match. */
export function loan({
  version = "1.0.0",
  prime = 700,
  primeRate = 4.9,
  explanation = "A good score",
  readsName = false,
  explainsName = false,
  look = () => undefined,
  shortestName = 2,
  broken = [],
}: Lines = {}) {
  return defineDecision({
    id: "loan",
    version,
    inputSchema: z.object({
      score: z.number(),
      name: z.string().min(shortestName),
      tags: z.array(z.string()).optional(),
    }),
    outputSchema: z.object({ approved: z.boolean(), rate: z.number() }),
    profileSchema: z.object({ minScore: z.number() }),
    rules: [
      {
        id: "named",
        when: (input) => {
          if (broken.includes(input.score)) throw new Error("out of order");
          look(input);
          return readsName && input.name === "Mallory";
        },
        emit: () => ({ approved: false, rate: 0 }),
      },
      {
        id: "too-low",
        when: (input, profile) => input.score !== 100 && input.score < profile.minScore,
        emit: () => ({ approved: false, rate: 0 }),
        explain: (input, profile) => `${input.score} is below ${profile.minScore}`,
      },
      {
        id: "prime",
        when: (input) => input.score >= prime,
        emit: () => ({ approved: true, rate: primeRate }),
        explain: (input) => (explainsName ? `${input.name.toUpperCase()}: ${explanation}` : explanation),
      },
      {
        id: "standard",
        when: (input) => input.score !== 100,
        emit: () => ({ approved: true, rate: 12.9 }),
      },
    ],
  });
}
