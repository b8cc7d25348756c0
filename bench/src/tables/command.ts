import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, spread } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { atMost, round, type Table } from "./table.js";

const decern = fileURLToPath(new URL("../../../apps/cli/dist/main.js", import.meta.url));

/** From spawn to exit: `decern --help`, and Node that does nothing. */
export async function commandTable(sizes: Sizes): Promise<Table> {
  const help: number[] = [];
  const nothing: number[] = [];
  for (let start = 0; start < sizes.commandStarts; start += 1) {
    nothing.push(timeOf(["-e", "0"], ""));
    help.push(timeOf([decern, "--help"], "Usage"));
  }
  return {
    title: "Start of the command, spawn to exit",
    note: `ms; ${sizes.commandStarts} starts in turn.`,
    columns: ["", "ms", "±"],
    rows: [
      ["Node, an empty program", round(median(nothing)), `${round(spread(nothing) * 100)} %`],
      ["decern --help", round(median(help)), `${round(spread(help) * 100)} %`],
    ],
    targets: [atMost("decern --help", 150, median(help), " ms")],
  };
}

/** Milliseconds of one run, which must print a word. */
function timeOf(args: readonly string[], printed: string): number {
  const began = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const ms = performance.now() - began;
  if (status !== 0 || !stdout.includes(printed)) throw new Error(`${args.join(" ")} ended with ${status}`);
  return ms;
}
