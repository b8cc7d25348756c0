import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { quietLogger } from "../log/quiet-logger.js";
import { byRequestId, fillLog, searches } from "../log/searches.js";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { measureCpu } from "../measure/cpu-rounds.js";
import { findTiming } from "../measure/rounds.js";
import { loanRings } from "../workload/loan-rings.js";
import type { InProcessTable } from "./in-process-table.js";
import { atLeast, round } from "./table.js";

/** How fast files of records are searched. */
export const searchTable: InProcessTable = {
  time(sizes) {
    return inTemporaryFolder(async (folder) => {
      const { records, searchRounds } = sizes.log;
      const samples = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
      const log = decisionLog({ store: ndjsonFiles(folder), logger: quietLogger });
      try {
        await fillLog(log, samples, records);
        return await measureCpu(searches(log, records), byRequestId, searchRounds);
      } finally {
        await log.close();
      }
    });
  },
  table: (timings) => ({
    title: "Search records in files, W1 mix",
    note: "Thousands of searched records per second and core.",
    columns: ["", "1,000 records/s", "±"],
    rows: timings.map(({ name, ns, spread }) => [
      name,
      round(thousandsPerSecond(ns)),
      `${round(spread * 100)} %`,
    ]),
    targets: [
      atLeast(
        "find one request id, thousand records per second and core",
        300,
        thousandsPerSecond(findTiming(timings, byRequestId).ns),
      ),
    ],
  }),
};

function thousandsPerSecond(ns: number): number {
  return 1e6 / ns;
}
