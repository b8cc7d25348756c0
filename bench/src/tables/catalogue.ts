import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import type { CatalogueFigures } from "../catalogue-child.js";
import { median } from "../measure/statistics.js";
import { type Sizes, shortSizes } from "../sizes.js";
import { atMost, round, type Table } from "./table.js";

const run = promisify(execFile);
const child = fileURLToPath(new URL("../catalogue-child.js", import.meta.url));
const figures: z.ZodType<CatalogueFigures> = z.object({
  defineMs: z.number(),
  startMs: z.number(),
  rssMiB: z.number(),
  heapMiB: z.number(),
  oneNs: z.number(),
  randomNs: z.number(),
});

/** W3: catalogues of many decisions, each in processes of its own, in turn. */
export async function catalogueTable(sizes: Sizes): Promise<Table> {
  const measured = sizes.decisions.map((count) => ({ count, runs: [] as CatalogueFigures[] }));
  for (let round = 0; round < sizes.catalogueRuns; round += 1) {
    for (const { count, runs } of measured) {
      const mode = sizes === shortSizes ? "short" : "full";
      const { stdout } = await run(process.execPath, ["--expose-gc", child, String(count), mode]);
      runs.push(figures.parse(JSON.parse(stdout)));
    }
  }
  const middle = (runs: readonly CatalogueFigures[], figure: keyof CatalogueFigures): number =>
    median(runs.map((one) => one[figure]));
  const [single] = measured;
  const largest = measured.at(-1);
  if (single === undefined || largest === undefined) throw new RangeError("no catalogues");
  const name = named(largest.count);
  const oneRatio = median(largest.runs.map((one, index) => one.oneNs / (single.runs[index]?.oneNs ?? 0)));
  return {
    title: "W3 catalogues",
    note: `Each decision has its own schemas. Memory: added by defining and starting, after a collection. ${sizes.catalogueRuns} processes each.`,
    columns: ["", "define ms", "start ms", "heap MiB", "rss MiB", "one decision, ns", "any decision, ns"],
    rows: measured.map(({ count, runs }) => [
      named(count),
      round(middle(runs, "defineMs")),
      round(middle(runs, "startMs")),
      round(middle(runs, "heapMiB")),
      round(middle(runs, "rssMiB")),
      round(middle(runs, "oneNs")),
      round(middle(runs, "randomNs")),
    ]),
    targets: [
      atMost(
        `${name}, defined and started`,
        2000,
        middle(largest.runs, "defineMs") + middle(largest.runs, "startMs"),
        " ms",
      ),
      atMost(`${name}, memory`, 200, middle(largest.runs, "rssMiB"), " MiB"),
      atMost(`one of ${name} against a single one`, 1.1, oneRatio, "×"),
    ],
  };
}

function named(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "decision" : "decisions"}`;
}
