import { bulkContestants, compactJob, csvJob, jsonOnly, parquetJob } from "../bulk/bulk-contestants.js";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { measureCpu } from "../measure/cpu-rounds.js";
import { findTiming } from "../measure/rounds.js";
import { loanRings } from "../workload/loan-rings.js";
import type { InProcessTable } from "./in-process-table.js";
import { atLeast, round } from "./table.js";

/** How fast a file is evaluated, beside what reading and writing JSON takes. */
export const bulkTable: InProcessTable = {
  time(sizes) {
    return inTemporaryFolder(async (folder) => {
      const { records, rounds } = sizes.bulk;
      const samples = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
      return measureCpu(await bulkContestants(folder, samples, records), jsonOnly, rounds);
    });
  },
  table: (timings) => ({
    title: "Evaluate a file, W1 mix",
    note: "Records of 200 bytes, a third of it random text, per second and core. A job also hashes input and output, and syncs each part to the disk. × compares CPU time.",
    columns: ["", "1,000 records/s", "±", "×"],
    rows: timings.map(({ name, ns, spread, ratio }) => [
      name,
      round(1e6 / ns),
      `${round(spread * 100)} %`,
      round(ratio),
    ]),
    targets: [compactJob, csvJob, parquetJob].map((name) =>
      atLeast(`${name}, thousand records per second and core`, 150, 1e6 / findTiming(timings, name).ns),
    ),
  }),
};
