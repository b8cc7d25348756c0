import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { acrossProcesses, type Timing, timingSchema } from "../measure/rounds.js";
import { type Sizes, shortSizes } from "../sizes.js";
import { batchTable } from "./batch.js";
import { catalogueTable } from "./catalogue.js";
import { commandTable } from "./command.js";
import { httpTable } from "./http.js";
import { inProcessTables } from "./in-process.js";
import { latencyTable } from "./latency.js";
import { pagesTable } from "./pages.js";
import { coldStartTable, memoryTable } from "./process.js";
import type { Table } from "./table.js";
import { workerTable } from "./worker.js";

const child = fileURLToPath(new URL("../table-child.js", import.meta.url));

/** Every table, by the name that `--only` takes, in the order in which they run. */
export const tables: Readonly<Record<string, (sizes: Sizes) => Promise<Table>>> = {
  ...Object.fromEntries(
    Object.entries(inProcessTables).map(([name, { table }]) => [
      name,
      async (sizes: Sizes) => table(await timeInProcesses(name, sizes)),
    ]),
  ),
  w3: catalogueTable,
  http: httpTable,
  batch: batchTable,
  worker: workerTable,
  latency: latencyTable,
  start: coldStartTable,
  command: commandTable,
  memory: memoryTable,
  pages: pagesTable,
};

export const tableNames: readonly string[] = Object.keys(tables);

/** One process after the other. What the compiler learnt from one table must not help or hinder the next. */
async function timeInProcesses(name: string, sizes: Sizes): Promise<readonly Timing[]> {
  const processes: (readonly Timing[])[] = [];
  for (let count = 0; count < sizes.processes; count += 1) {
    const running = fork(child, [name, sizes === shortSizes ? "short" : "full"]);
    const [answer] = await Promise.race([
      once(running, "message"),
      once(running, "exit").then(() => {
        throw new Error(`table ${name} failed`);
      }),
    ]);
    processes.push(z.array(timingSchema).parse(answer));
  }
  return acrossProcesses(processes);
}
