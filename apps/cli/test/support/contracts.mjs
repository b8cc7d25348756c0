// Contracts of tables, beside something else.
import { tableContract } from "@decern/table";
import { z } from "zod";

const profileSchema = z.object({ limit: z.number().default(20) });

export const fee = tableContract({
  id: "fee",
  inputSchema: z.object({
    zone: z.enum(["home", "abroad"]),
    weightKg: z.number().min(0).max(30),
    isGift: z.boolean().optional(),
  }),
  outputSchema: z.object({ fee: z.number(), carrier: z.string() }),
  profileSchema,
});

export const others = [
  tableContract({
    id: "carriers",
    inputSchema: z.object({ zone: z.string() }),
    outputSchema: z.array(z.object({ carrier: z.string() })),
    profileSchema,
  }),
];

export const unrelated = { id: "fee", colour: "red" };
