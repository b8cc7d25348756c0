import { z } from "zod";

export const application = z.object({ amount: z.number().positive(), score: z.int() });
export const offer = z.object({ approved: z.boolean(), rate: z.number() });
export const limits = z.object({ minScore: z.int(), maxAmount: z.number() });
