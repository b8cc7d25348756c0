import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Sizes, shortSizes } from "../sizes.js";
import { catalogueTable } from "./catalogue.js";
import { httpTable } from "./http.js";
import { inProcessTables } from "./in-process.js";
import { coldStartTable, memoryTable } from "./process.js";
import { type Table, tableSchema } from "./table.js";

const child = fileURLToPath(new URL("../table-child.js", import.meta.url));

/** Every table, by the name that `--only` takes, in the order in which they run. */
export const tables: Readonly<Record<string, (sizes: Sizes) => Promise<Table>>> = {
  ...Object.fromEntries(
    Object.keys(inProcessTables).map((name) => [name, (sizes: Sizes) => inChild(name, sizes)]),
  ),
  w3: catalogueTable,
  http: httpTable,
  start: coldStartTable,
  memory: memoryTable,
};

export const tableNames: readonly string[] = Object.keys(tables);

/** A table in a process of its own: what the compiler learnt from one must not help or hinder the next. */
async function inChild(name: string, sizes: Sizes): Promise<Table> {
  const running = fork(child, [name, sizes === shortSizes ? "short" : "full"]);
  const [answer] = await Promise.race([
    once(running, "message"),
    once(running, "exit").then(() => {
      throw new Error(`table ${name} failed`);
    }),
  ]);
  return tableSchema.parse(answer);
}
