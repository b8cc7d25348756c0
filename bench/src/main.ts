import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { writePages } from "./page.js";
import { keepResults, latestResults, type Result, write } from "./results.js";
import { fullSizes, shortSizes } from "./sizes.js";
import { tableNames, tables } from "./tables/all-tables.js";
import { legend, printTable } from "./tables/print.js";

const usage = `Usage: pnpm bench [--short] [--only <table>]... [--keep] [--out <file>]
       pnpm bench --page

  --short   every entry runs and is checked; the figures mean nothing
  --only    ${tableNames.join(", ")}
  --keep    puts each table into bench/results/latest.json and into bench/RESULTS.md and docs/performance.md
  --out     a file for the tables of this run, as JSON
  --page    measures nothing; puts the tables of bench/results/latest.json into bench/RESULTS.md and docs/performance.md
`;

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    keep: { type: "boolean", default: false },
    out: { type: "string" },
    page: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const isWrong = values.only.some((name) => !tableNames.includes(name)) || (values.short && values.keep);
if (values.help || isWrong) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.page) {
  writePages(latestResults());
} else {
  const sizes = values.short ? shortSizes : fullSizes;
  const wanted = values.only.length === 0 ? tableNames : values.only;
  const results: Result[] = [];
  console.log(`${legend}\n`);
  for (const name of tableNames) {
    if (!wanted.includes(name)) continue;
    const table = await tables[name]?.(sizes);
    if (table === undefined) continue;
    // Figures of the short mode mean nothing, so nothing is promised of them either.
    console.log(printTable(values.short ? { ...table, targets: [] } : table));
    const result = { name, date: new Date().toISOString(), machine: machine(), table };
    results.push(result);
    if (!values.keep) continue;
    // A whole run takes half an hour: what it has measured stays if it is stopped.
    keepResults([result], tableNames);
    writePages(latestResults());
  }
  if (values.out !== undefined) write(values.out, results);
}

function machine(): Result["machine"] {
  const all = cpus();
  return {
    node: process.version,
    v8: process.versions.v8,
    system: `${process.platform} ${process.arch}`,
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}
