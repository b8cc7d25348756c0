import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Result } from "./results.js";
import { grid, legend, printTable } from "./tables/print.js";

const markers = ["<!-- tables -->", "<!-- end of tables -->"] as const;

/** A part of one table, for readers who need no more. */
interface Excerpt {
  /** The table's name for `--only`. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
}

/** What `docs/performance.md` shows of the tables. */
const excerpts: readonly Excerpt[] = [
  {
    name: "w1-mix",
    columns: ["ns", "×"],
    rows: [
      "reference: AJV, loop, all tricks",
      "Decern evaluate",
      "Zod validators, loop",
      "json-logic-engine, compiled",
      "casbin",
      "json-rules-engine",
      "GoRules zen",
    ],
  },
  {
    name: "http",
    columns: ["requests/s", "CPU"],
    rows: [
      "bare Fastify 5, plain handler",
      "Decern server, metrics on",
      "Fastify 5, Decern plugin",
      "Express 5, route by hand",
      "Express 5, Decern router",
    ],
  },
];

/** The pages with tables, by their path in the repository. */
export const pages: Readonly<Record<string, (results: readonly Result[]) => string>> = {
  "bench/RESULTS.md": printResults,
  "docs/performance.md": (results) => excerpts.map((excerpt) => printExcerpt(excerpt, results)).join("\n\n"),
};

/** Where a page is on this machine. */
export const fileOf = (page: string): string => fileURLToPath(new URL(`../../${page}`, import.meta.url));

/** Puts the tables into the pages that show them. */
export function writePages(results: readonly Result[]): void {
  for (const [page, print] of Object.entries(pages)) {
    const file = fileOf(page);
    writeFileSync(file, withTables(readFileSync(file, "utf8"), print(results)));
  }
}

/** The page with these tables in place of those that it has. */
export function withTables(page: string, tables: string): string {
  const [start, end] = markers.map((marker) => page.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error("the page has no markers");
  return `${page.slice(0, start)}${markers[0]}\n\n${tables}\n\n${page.slice(end)}`;
}

/** All tables, then the targets that aren't met. A day and a machine hold until a table names others. */
function printResults(results: readonly Result[]): string {
  let latest = "";
  const tables = results.map(({ date, machine, table }) => {
    const { node, system, cpu, cores } = machine;
    const where = `Node ${node} on ${system}, ${cores} cores of ${cpu}`;
    const measured = [date.slice(0, 10), where].filter((text) => !latest.includes(text)).join(" with ");
    latest = `${date.slice(0, 10)} ${where}`;
    const note = measured === "" ? table.note : `${table.note} Measured ${measured}.`.trim();
    return printTable({ ...table, note, targets: [] }).trimEnd();
  });
  const targets = results.flatMap(({ table }) => table.targets);
  const missed = targets.filter(({ met }) => !met);
  const count = `${targets.length - missed.length} of ${targets.length} targets are met.`;
  const others =
    missed.length === 0
      ? count
      : `${count} The others:\n\n${grid([["", "limit", "measured"], ...missed.map(({ what, limit, measured }) => [what, limit, measured])])}`;
  return [legend, ...tables, `### Targets\n\n${others}`].join("\n\n");
}

/** Some rows and columns of a table. A name that the table lacks is an error. */
function printExcerpt({ name, columns, rows }: Excerpt, results: readonly Result[]): string {
  const table = results.find((result) => result.name === name)?.table;
  if (table === undefined) throw new Error(`there is no result of ${name}`);
  const places = columns.map((column) => table.columns.indexOf(column));
  if (places.includes(-1)) throw new Error(`${name} lacks one of the columns ${columns.join(", ")}`);
  const lines = rows.map((row) => {
    const cells = table.rows.find(([first]) => first === row);
    if (cells === undefined) throw new Error(`${name} has no row "${row}"`);
    return [row, ...places.map((place) => cells[place] ?? "")];
  });
  return `### ${table.title}\n\n${grid([["", ...columns], ...lines])}`;
}
