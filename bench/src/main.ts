import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Run, writePage, writePageFrom } from "./page.js";
import { fullSizes, shortSizes } from "./sizes.js";
import { tableNames, tables } from "./tables/all-tables.js";
import { printTable } from "./tables/print.js";
import type { Table } from "./tables/table.js";

const usage = `Usage: pnpm bench [--short] [--only <table>]... [--out <file>]
       pnpm bench --page

  --short   every entry runs and is checked; the figures mean nothing
  --only    ${tableNames.join(", ")}
  --out     where the tables go as JSON; bench/results/latest.json unless --short or --only is given.
            A whole run also puts its tables into docs/performance.md
  --page    measures nothing; puts the tables of bench/results/latest.json into docs/performance.md
`;

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
    page: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const latest = fileURLToPath(new URL("../results/latest.json", import.meta.url));

if (values.help || values.only.some((name) => !tableNames.includes(name))) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.page) {
  writePageFrom(latest);
} else {
  const sizes = values.short ? shortSizes : fullSizes;
  const wanted = values.only.length === 0 ? tableNames : values.only;
  const done: Table[] = [];
  for (const name of tableNames) {
    if (!wanted.includes(name)) continue;
    const table = await tables[name]?.(sizes);
    if (table === undefined) continue;
    // Figures of the short mode mean nothing, so nothing is promised of them either.
    console.log(printTable(values.short ? { ...table, targets: [] } : table));
    done.push(table);
  }
  const whole = !values.short && values.only.length === 0;
  const out = values.out ?? (whole ? latest : undefined);
  if (out !== undefined) {
    mkdirSync(dirname(out), { recursive: true });
    const run = { machine: machine(), sizes, tables: done };
    writeFileSync(out, `${JSON.stringify(run, null, 2)}\n`);
    if (whole) writePage(run);
  }
}

function machine(): Run["machine"] {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    v8: process.versions.v8,
    system: `${process.platform} ${process.arch}`,
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}
