import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { quietLogger } from "../log/quiet-logger.js";
import { replays, withControlRun } from "../log/replays.js";
import { fillLog } from "../log/searches.js";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { measureCpu } from "../measure/cpu-rounds.js";
import { findTiming } from "../measure/rounds.js";
import { loanRings } from "../workload/loan-rings.js";
import type { InProcessTable } from "./in-process-table.js";
import { atLeast, round } from "./table.js";

/** How fast records are replayed. */
export const replayTable: InProcessTable = {
  time(sizes) {
    return inTemporaryFolder(async (folder) => {
      const { records, searchRounds } = sizes.log;
      const samples = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
      const log = decisionLog({ store: ndjsonFiles(folder), logger: quietLogger });
      try {
        await fillLog(log, samples, records);
        return await measureCpu(await replays(log, records), withControlRun, searchRounds);
      } finally {
        await log.close();
      }
    });
  },
  table: (timings) => ({
    title: "Replay records, W1 mix",
    note: "Thousands of records per second and core.",
    columns: ["", "1,000 records/s", "±"],
    rows: timings.map(({ name, ns, spread }) => [name, round(1e6 / ns), `${round(spread * 100)} %`]),
    targets: [
      atLeast(
        "replay with control run from files, thousand records per second and core",
        100,
        1e6 / findTiming(timings, withControlRun).ns,
      ),
    ],
  }),
};
