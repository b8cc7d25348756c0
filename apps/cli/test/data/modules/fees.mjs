import { defineDecision } from "@decern/core";
import { z } from "zod";

/** A decision whose profile has lists, alternatives and records. */
export const decisions = [
  defineDecision({
    id: "fees",
    version: "1.0.0",
    inputSchema: z.object({}),
    outputSchema: z.object({}),
    profileSchema: z.object({
      bands: z.array(z.object({ upTo: z.number(), fee: z.number().optional() })),
      by: z.record(z.string(), z.object({ rate: z.number() })).optional(),
      either: z.union([z.object({ a: z.number() }), z.object({ b: z.number() })]).nullish(),
      open: z.looseObject({ a: z.number() }).optional(),
    }),
    rules: [{ id: "any", when: () => true, emit: () => ({}) }],
  }),
];
