import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleLines } from "./fixtures.js";

/** Runs Prometheus's own tool. Fails if the tool is missing, so a test never passes unchecked. */
export function promtool(
  args: readonly string[],
  input = "",
): { readonly code: number | null; readonly output: string } {
  const { error, status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  if (error !== undefined) {
    throw new Error("promtool judges this package's output; install it: apt-get install prometheus", {
      cause: error,
    });
  }
  return { code: status, output: stdout + stderr };
}

/** Imports an OpenMetrics page into a Prometheus database, and returns its contents, one line per series. */
export function throughPrometheus(page: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "decern-metrics-"));
  try {
    // Importing requires timestamps, which the format allows but a scrape omits.
    const samples = new Set(sampleLines(page));
    const lines = page.split("\n").map((line) => (samples.has(line) ? `${line} 1700000000` : line));
    const file = join(folder, "page.txt");
    const blocks = join(folder, "blocks");
    writeFileSync(file, lines.join("\n"));
    const { code, output } = promtool(["tsdb", "create-blocks-from", "openmetrics", file, blocks]);
    if (code !== 0) throw new Error(`Prometheus refused the page: ${output}`);
    mkdirSync(join(blocks, "wal"));
    const dump = promtool(["tsdb", "dump", blocks]);
    if (dump.code !== 0) throw new Error(dump.output);
    return dump.output.trim().split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
