import assert from "node:assert/strict";
import { type BulkSource, runWorker } from "@decern/bulk";
import { loanDecision } from "../workload/decisions.js";
import { loanId, theProfile } from "../workload/loan-approval.js";

/** Runs one worker until it has answered so many inputs. @returns seconds */
export async function secondsOfWorker(source: BulkSource, total: number): Promise<number> {
  const stop = new AbortController();
  let left = total;
  const began = performance.now();
  const { counts } = await runWorker({
    decision: loanDecision(),
    profiles: { [loanId]: theProfile },
    source,
    signal: stop.signal,
    observer: {
      onCommitted: (batch) => {
        left -= Object.values(batch.counts).reduce((sum, count) => sum + count, 0);
        if (left === 0) stop.abort();
      },
    },
  });
  const seconds = (performance.now() - began) / 1000;
  assert.equal(counts.OK, total);
  return seconds;
}
