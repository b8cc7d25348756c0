import { z } from "zod";
import { tableContract } from "../../src/index.js";

export const shipping = tableContract({
  id: "shipping-fee",
  inputSchema: z.object({
    zone: z.enum(["domestic", "eu", "abroad"]),
    parcel: z.object({ weightKg: z.number().min(0).max(30) }),
    express: z.boolean().optional(),
    customer: z.string().nullable(),
    day: z.iso.date(),
  }),
  outputSchema: z.object({ fee: z.number().min(0), carrier: z.string(), text: z.string().optional() }),
  profileSchema: z.object({
    base: z.number().default(4),
    limit: z.number().default(20),
    label: z.string().default("x"),
  }),
});

export const document = {
  table: "shipping-fee",
  version: "1.2.0",
  hitPolicy: "F",
  inputs: [
    { path: "zone", label: "Zone" },
    { path: "parcel.weightKg" },
    { path: "express" },
    { path: "customer" },
    { path: "day" },
  ],
  outputs: [{ path: "fee", label: "Fee in EUR" }, { path: "carrier" }, { path: "text" }],
  rules: [
    {
      id: "light",
      if: ["domestic", "<= 2", "-", "-", "-"],
      then: [4.5, "post", ""],
      note: "Up to two kilograms",
    },
    {
      id: "heavy",
      if: ["domestic, eu", "(2..profile.limit]", true, 'not(null, "late, often")', "-"],
      then: ["profile.base + 0.1 * input.parcel.weightKg", "air", '"=free"'],
      from: "2026-01-01",
      until: "2026-12-31T23:59:00+01:00",
    },
    {
      id: "abroad",
      if: ["abroad", "-", null, "Ann, Bob", ">= 2026-02-01"],
      then: [30, "ship", "Two, or more"],
    },
  ],
  default: [99, "none", ""],
};
