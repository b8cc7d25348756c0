import { z } from "zod";

const targetSchema = z
  .object({ what: z.string(), limit: z.string(), measured: z.number(), met: z.boolean() })
  .readonly();

/** Something promised, and what was measured. */
export type Target = z.infer<typeof targetSchema>;

export const tableSchema = z
  .object({
    title: z.string(),
    /** What the columns mean, where their heads do not say it. */
    note: z.string(),
    columns: z.array(z.string()).readonly(),
    rows: z.array(z.array(z.union([z.string(), z.number()])).readonly()).readonly(),
    targets: z.array(targetSchema).readonly(),
  })
  .readonly();

/** One table as printed and as written to JSON. */
export type Table = z.infer<typeof tableSchema>;

/** A target that must not be exceeded. */
export function atMost(what: string, limit: number, measured: number, unit = ""): Target {
  return { what, limit: `≤ ${limit}${unit}`, measured: round(measured), met: measured <= limit };
}

/** A target that has to be reached. */
export function atLeast(what: string, limit: number, measured: number, unit = ""): Target {
  return { what, limit: `≥ ${limit}${unit}`, measured: round(measured), met: measured >= limit };
}

/** Three digits that mean something, as far as tables need them. */
export function round(value: number): number {
  if (!Number.isFinite(value)) return value;
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
