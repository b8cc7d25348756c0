import type { TableContract } from "@decern/table";
import type { z } from "zod";

export const fee: TableContract<
  z.ZodObject<{ zone: z.ZodEnum<{ home: "home"; abroad: "abroad" }>; weightKg: z.ZodNumber }>,
  z.ZodObject<{ fee: z.ZodNumber; carrier: z.ZodString }>,
  z.ZodObject<{ limit: z.ZodDefault<z.ZodNumber> }>,
  "fee"
>;
