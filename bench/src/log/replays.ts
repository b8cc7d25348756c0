import assert from "node:assert/strict";
import type { Decision, DecisionRecord } from "@decern/core";
import type { DecisionLog } from "@decern/decision-log";
import { type Candidate, type ReplayOptions, type ReplaySource, replay } from "@decern/replay";
import type { CpuEntry } from "../measure/cpu-rounds.js";
import { loanDecision } from "../workload/decisions.js";
import { loanId, theProfile } from "../workload/loan-approval.js";

export const withControlRun = "replay, control run included";
export const withoutReading = "replay of parsed records, control run included";

/** Records that are in memory already, again and again. */
const portionRecords = 1000;

/** Replays of a filled log, each checked whenever it runs. One operation is one record. */
export async function replays(log: DecisionLog, records: number): Promise<readonly CpuEntry[]> {
  const parsed: DecisionRecord[] = [];
  for await (const record of log.find({ limit: portionRecords })) parsed.push(record);
  const inMemory: ReplaySource = {
    async *find() {
      for (let index = 0; index < records; index += 1) {
        const record = parsed[index % parsed.length];
        if (record !== undefined) yield record;
      }
    },
    profile: (hash) => log.profile(hash),
  };
  const decision = loanDecision();
  const candidate: Candidate = { decisions: [decision], profiles: { [loanId]: theProfile } };
  // Another copy of the decision, as of the main branch: each record is evaluated twice.
  const baseline: readonly Decision[] = [loanDecision()];
  const entry = (name: string, source: ReplaySource, options: ReplayOptions): CpuEntry => ({
    name,
    async run() {
      const report = await replay(source, candidate, options);
      assert.deepEqual(
        [report.counts.unchanged, report.controlled, report.isWithin],
        [records, records, true],
        name,
      );
      return records;
    },
  });
  return [
    {
      name: "find every record, and nothing else",
      async run() {
        let found = 0;
        for await (const { recordVersion } of log.find()) found += recordVersion;
        assert.equal(found, records);
        return records;
      },
    },
    entry(withControlRun, log, { baseline }),
    entry("replay, same revision: one run", log, {}),
    entry(withoutReading, inMemory, { baseline }),
    entry("replay of parsed records, same revision: one run", inMemory, {}),
  ];
}
