import { once } from "node:events";
import { type BulkSource, runWorker } from "@decern/bulk";
import { postgresChunks, postgresInbox } from "@decern/postgres/bulk";
import pg from "pg";
import { loanDecision } from "../workload/decisions.js";
import { loanId, theProfile } from "../workload/loan-approval.js";
import { loanRings } from "../workload/loan-rings.js";
import type { PostgresWork } from "./postgres-work.js";

/**
 * A worker in a process of its own: `node postgres-child.js <JSON>`. It warms up and says `ready`. Once it is told to, it works until its
 * source has ended, and sends how many inputs each batch had.
 */
const given: PostgresWork = JSON.parse(process.argv[2] ?? "{}");
const pool = new pg.Pool(given.connection);
const decision = loanDecision();

const warmUp = postgresInbox({ pool, name: `warm-up ${process.pid}`, endWhenEmpty: true });
const samples = loanRings(given.warmUp)[0]?.samples ?? [];
await warmUp.add(samples.map(({ input }) => input));
await work(warmUp, () => {});

const source =
  given.kind === "inbox"
    ? postgresInbox({ pool, name: given.name, endWhenEmpty: true })
    : postgresChunks({
        pool,
        job: given.name,
        table: given.name,
        key: "id",
        input: "t.input",
        revision: decision,
      });
process.send?.("ready");
await once(process, "message");
await work(source, (count) => process.send?.(count));
await pool.end();
process.disconnect?.();

async function work(from: BulkSource, onCommitted: (count: number) => void): Promise<void> {
  await runWorker({
    decision,
    profiles: { [loanId]: theProfile },
    source: from,
    observer: { onCommitted: ({ counts }) => onCommitted(counts.OK) },
  });
}
