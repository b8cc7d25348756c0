import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { printTable } from "./tables/print.js";
import { tableSchema } from "./tables/table.js";

const markers = ["<!-- tables -->", "<!-- end of tables -->"] as const;
const path = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

const runSchema = z.object({
  machine: z.object({
    date: z.string(),
    node: z.string(),
    v8: z.string(),
    system: z.string(),
    cpu: z.string(),
    cores: z.number(),
    memoryGiB: z.number(),
  }),
  tables: z.array(tableSchema),
});

/** A whole run, as `results/latest.json` has it. */
export type Run = z.infer<typeof runSchema>;

/** Puts the tables of a run into the page that explains them. */
export function writePage(run: Run): void {
  writeFileSync(path, withTables(readFileSync(path, "utf8"), run));
}

/** {@link writePage}, with a run that was kept. */
export function writePageFrom(file: string): void {
  writePage(runSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
}

/** The page with the tables of a run in place of those that it has. */
export function withTables(page: string, { machine, tables }: Run): string {
  const [start, end] = markers.map((marker) => page.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error("the page has no markers");
  const { date, node, system, cpu, cores } = machine;
  const head = `Measured ${date.slice(0, 10)} with Node ${node} on ${system}, ${cores} cores of ${cpu}.`;
  const text = [head, ...tables.map(printTable)].map((part) => part.trimEnd()).join("\n\n");
  return `${page.slice(0, start)}${markers[0]}\n\n${text}\n\n${page.slice(end)}`;
}
