import { defineTable, readTable, tableContract } from "@decern/table";
import { z } from "zod";

const parcel = z.object({
  zone: z.enum(["home", "near", "abroad"]).meta({ title: "Zone" }),
  weightKg: z.number().min(0).max(70).meta({ title: "Weight (kg)" }),
  express: z.boolean().optional().meta({ title: "Express" }),
});

/** Unique, with a gap: nothing for what weighs more than 30 kg abroad. */
export const shipping = defineTable({
  id: "shipping-fee",
  version: "1.2.0",
  description: "What a parcel costs",
  meta: { examples: [{ name: "Small parcel", input: { zone: "home", weightKg: 1 } }] },
  inputSchema: parcel,
  outputSchema: z.object({
    fee: z.number().meta({ title: "Fee (EUR)" }),
    carrier: z.enum(["post", "truck", "air"]).meta({ title: "Carrier" }),
  }),
  profileSchema: z.object({ heavyKg: z.number().default(20) }),
  hitPolicy: "U",
  inputs: ["zone", "weightKg", "express"],
  outputs: ["fee", "carrier"],
  rules: [
    { id: "home-light", cells: ["home", "<= 2", "-", 4.5, "post"], note: "Letters and small parcels" },
    { id: "home-medium", cells: ["home", "(2..10]", "-", "4.5 + 0.5 * input.weightKg", "post"] },
    { id: "home-heavy", cells: ["home", "> 10", "-", 19, "truck"], note: "By appointment" },
    { id: "near-light", cells: ["near", "<= 10", "-", 9, "post"] },
    { id: "near-heavy", cells: ["near", "> 10", "-", 25, "truck"] },
    { id: "abroad-express", cells: ["abroad", "<= 30", "true", 60, "air"] },
    { id: "abroad-slow", cells: ["abroad", "<= 30", "false, null", 32, "truck"], note: "Two weeks" },
  ],
});

/** The first row decides; two overlap, and one never decides. */
export const discount = defineTable({
  id: "discount",
  version: "3.0.0",
  description: "The discount of an order",
  meta: { examples: [{ name: "Loyal", input: { score: 601, country: "DE", years: 3 } }] },
  inputSchema: z.object({
    score: z.number().int().min(300).max(850).meta({ title: "Score" }),
    country: z.string().meta({ title: "Country" }),
    years: z.number().int().min(0).max(80).meta({ title: "Years as a customer" }),
  }),
  outputSchema: z.object({ percent: z.number().meta({ title: "Discount (%)" }) }),
  profileSchema: z.object({ minScore: z.number().default(620) }),
  hitPolicy: "F",
  inputs: ["score", "country", "years"],
  outputs: ["percent"],
  rules: [
    { id: "blocked", cells: ["-", '"KP", "IR"', "-", 0], note: "Law" },
    { id: "good-score", cells: [">= profile.minScore", "-", ">= 2", 10] },
    { id: "loyal", cells: ["-", "-", ">= 3", 5], note: "Whatever the score" },
    { id: "old-friends", cells: ["-", "-", ">= 10", 7], note: "Was above, once" },
    { id: "campaign", cells: ["-", '"DE"', "-", 2], from: "2026-01-01", until: "2096-01-01" },
  ],
  default: [0],
});

const longContract = tableContract({
  id: "tariff",
  description: "Ten thousand rows",
  meta: { examples: [{ name: "In the middle", input: { code: 5000, grade: "b" } }] },
  inputSchema: z.object({
    code: z
      .number()
      .int()
      .min(0)
      .max(4999 * 2 + 1)
      .meta({ title: "Code" }),
    grade: z.enum(["a", "b"]).meta({ title: "Grade" }),
  }),
  outputSchema: z.object({ rate: z.number().meta({ title: "Rate" }) }),
  profileSchema: z.object({}),
});

/** 10,000 rows, complete and unique: one for each two codes and each grade. */
export const tariff = readTable(longContract, {
  name: "tariff.json",
  document: {
    table: "tariff",
    version: "1.0.0",
    hitPolicy: "U",
    inputs: [{ path: "code" }, { path: "grade" }],
    outputs: [{ path: "rate" }],
    rules: Array.from({ length: 10_000 }, (_, index) => {
      const low = (index >> 1) * 2;
      return {
        id: `r-${index + 1}`,
        if: [`[${low}..${low + 1}]`, index % 2 === 0 ? "a" : "b"],
        then: [Math.round(index * 1.7) / 100],
      };
    }),
  },
});

/** Every row that matches adds a fee. */
export const fees = defineTable({
  id: "fees",
  version: "1.0.0",
  meta: { examples: [{ name: "Heavy and urgent", input: { kg: 20, urgent: true } }] },
  inputSchema: z.object({ kg: z.number().min(0), urgent: z.boolean() }),
  outputSchema: z.array(z.object({ fee: z.number(), why: z.string() })),
  profileSchema: z.object({}),
  hitPolicy: "R",
  inputs: ["kg", "urgent"],
  outputs: ["fee", "why"],
  rules: [
    { id: "heavy", cells: ["> 10", "-", 5, "heavy"] },
    { id: "light", cells: ["<= 10", "-", 1, "light"] },
    { id: "urgent", cells: ["-", "true", 9, "urgent"] },
  ],
});

/** Its schema changes texts as no JSON Schema tells. */
export const shouted = defineTable({
  id: "shouted",
  version: "1.0.0",
  meta: { examples: [{ name: "In small letters", input: { country: "de" } }] },
  inputSchema: z.object({ country: z.string().toUpperCase() }),
  outputSchema: z.object({ vat: z.number() }),
  profileSchema: z.object({}),
  hitPolicy: "U",
  inputs: ["country"],
  outputs: ["vat"],
  rules: [
    { id: "germany", cells: ['"DE"', 19] },
    { id: "others", cells: ['not("DE")', 0] },
  ],
});
