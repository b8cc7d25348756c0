import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { tableSchema } from "./tables/table.js";

const path = fileURLToPath(new URL("../results/latest.json", import.meta.url));

const resultSchema = z
  .object({
    /** The table's name for `--only`. */
    name: z.string(),
    /** When it was measured: ISO 8601, UTC. */
    date: z.string(),
    machine: z
      .object({
        node: z.string(),
        v8: z.string(),
        system: z.string(),
        cpu: z.string(),
        cores: z.number(),
        memoryGiB: z.number(),
      })
      .readonly(),
    table: tableSchema,
  })
  .readonly();

/** One table, and where and when it was measured. */
export type Result = z.infer<typeof resultSchema>;

/** The newest result of each table, as `results/latest.json` has them. */
export function latestResults(): readonly Result[] {
  return z.array(resultSchema).parse(JSON.parse(readFileSync(path, "utf8")));
}

/** Replaces the kept results of the same tables. */
export function keepResults(results: readonly Result[], order: readonly string[]): void {
  write(path, withResults(latestResults(), results, order));
}

/** Writes results to a file, as JSON. */
export function write(file: string, results: readonly Result[]): void {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

/** The newer result of each table. @param order - names of all tables: those that are gone are left out */
export function withResults(
  kept: readonly Result[],
  newer: readonly Result[],
  order: readonly string[],
): readonly Result[] {
  const byName = new Map([...kept, ...newer].map((result) => [result.name, result]));
  return order.flatMap((name) => byName.get(name) ?? []);
}
