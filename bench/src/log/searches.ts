import assert from "node:assert/strict";
import { createEvaluator, type RecordQuery, withProfile } from "@decern/core";
import type { DecisionLog } from "@decern/decision-log";
import type { CpuEntry } from "../measure/cpu-rounds.js";
import { loanDecision } from "../workload/decisions.js";
import { theProfile } from "../workload/loan-approval.js";
import type { Sample } from "../workload/loan-rings.js";

/** Fills a log with records, one request id each: `request-0`, `request-1` and so on. */
export async function fillLog(log: DecisionLog, samples: readonly Sample[], records: number): Promise<void> {
  const evaluator = createEvaluator({ log });
  const decision = withProfile(loanDecision(), theProfile);
  for (let index = 0; index < records; index += 1) {
    const { input } = samples[index % samples.length] ?? {};
    await evaluator.evaluate(decision, { input, requestId: `request-${index}` });
    if (index % 5000 === 0) await log.flush();
  }
  await log.flush();
}

export const byRequestId = "find one request id";

/** Searches of a filled log, each checked whenever it runs. One operation is one record of the log. */
export function searches(log: DecisionLog, records: number): readonly CpuEntry[] {
  const find = (name: string, query: RecordQuery, expected: number): CpuEntry => ({
    name,
    async run() {
      let found = 0;
      for await (const { recordVersion } of log.find(query)) found += recordVersion;
      assert.equal(found, expected, name);
      return records;
    },
  });
  return [
    find(byRequestId, { requestId: `request-${Math.floor(records / 2)}` }, 1),
    find("find another caller: nothing", { caller: "nobody" }, 0),
    find("find every record", {}, records),
    {
      name: "verify",
      async run() {
        const { ok, records: verified } = await log.verify();
        assert.deepEqual([ok, verified], [true, records]);
        return records;
      },
    },
  ];
}
