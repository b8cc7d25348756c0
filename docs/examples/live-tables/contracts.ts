import { tableContract } from "@decern/table";
import { z } from "zod";

export const shippingFee = tableContract({
  id: "shipping-fee",
  inputSchema: z.object({ weightKg: z.number().min(0) }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({}),
});
