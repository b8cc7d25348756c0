import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionRecord } from "@decern/core";
import { type DecisionLogOptions, decisionLog, ndjsonFiles } from "@decern/decision-log";
import { silent } from "./recorded-hosts.js";

/** A decision log in a folder of its own. */
export function journal(options: Omit<DecisionLogOptions, "store"> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "decern-records-"));
  const log = decisionLog({ logger: silent, ...options, store: ndjsonFiles(folder) });
  return {
    folder,
    log,
    /** The records that are on disk now, read as any program would. */
    onDisk: (): readonly DecisionRecord[] =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ndjson"))
        .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
        .filter((line) => "recordId" in line),
    remove: async () => {
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}
