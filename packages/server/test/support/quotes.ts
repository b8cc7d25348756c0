import { defineDecision } from "@decern/core";
import { z } from "zod";

/** One version of a decision whose output tells its version, its caller and its profile. */
export function quote(version: string, throws = false) {
  return defineDecision({
    id: "quote",
    version,
    description: `Version ${version}`,
    inputSchema: z.object({ amount: z.number() }),
    outputSchema: z.object({
      by: z.string(),
      caller: z.string().nullable(),
      rate: z.number(),
      label: z.string(),
    }),
    profileSchema: z.object({ rate: z.number().max(100).default(1), label: z.string().default("none") }),
    rules: [
      {
        id: `v${version}`,
        when: () => {
          if (throws) throw new Error("secret of the candidate");
          return true;
        },
        emit: (_input, { rate, label }, { caller }) => ({ by: version, caller: caller ?? null, rate, label }),
      },
    ],
  });
}

export const quote1 = quote("1.0.0");
export const quote2 = quote("2.0.0");
export const input = { amount: 1 };
