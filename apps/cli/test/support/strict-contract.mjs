// A contract whose profile has no defaults.
import { tableContract } from "@decern/table";
import { z } from "zod";

export const fee = tableContract({
  id: "fee",
  inputSchema: z.object({ zone: z.enum(["home", "abroad"]), weightKg: z.number().min(0) }),
  outputSchema: z.object({ fee: z.number(), carrier: z.string() }),
  profileSchema: z.object({ limit: z.number() }),
});
