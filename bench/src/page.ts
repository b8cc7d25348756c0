import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Result } from "./results.js";
import { printTable } from "./tables/print.js";

const markers = ["<!-- tables -->", "<!-- end of tables -->"] as const;
const path = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

/** Puts the tables into the page that explains them. */
export function writePage(results: readonly Result[]): void {
  writeFileSync(path, withTables(readFileSync(path, "utf8"), results));
}

/** The page with these tables in place of those that it has. */
export function withTables(page: string, results: readonly Result[]): string {
  const [start, end] = markers.map((marker) => page.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error("the page has no markers");
  const text = results.map(printResult).join("\n\n");
  return `${page.slice(0, start)}${markers[0]}\n\n${text}\n\n${page.slice(end)}`;
}

function printResult({ date, machine, table }: Result): string {
  const { node, system, cpu, cores } = machine;
  const measured = `Measured ${date.slice(0, 10)} with Node ${node} on ${system}, ${cores} cores of ${cpu}.`;
  return printTable({ ...table, note: `${table.note}\n\n${measured}`.trim() }).trimEnd();
}
