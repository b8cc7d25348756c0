import { z } from "zod";

export const parcel = z.object({
  zone: z.enum(["home", "eu", "world"]),
  weightKg: z.number().min(0).max(30),
  express: z.boolean(),
});
export const shipping = z.object({ fee: z.number().min(0), carrier: z.enum(["post", "courier"]) });
export const nothing = z.object({});
