// A worker. Its argument is JSON: `connection`, and `inbox` or `chunks`, the options of the source.
import { runWorker } from "@decern/bulk";
import { postgresChunks, postgresInbox } from "@decern/postgres/bulk";
import pg from "pg";
import { pricing } from "./postgres-decision.mjs";

const { connection, inbox, chunks, isBroken, ...options } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...connection, max: 6 });
const source =
  inbox === undefined
    ? postgresChunks({ pool, revision: pricing, ...chunks })
    : postgresInbox({ pool, ...inbox });

/** What must not be done: results are stored in a transaction of their own, before the progress. */
const broken = {
  take: async (max, signal) => {
    const batch = await source.take(max, signal);
    if (batch === undefined) return undefined;
    return {
      ...batch,
      commit: async (results) => {
        for (const { position, status, text } of results)
          await pool.query("insert into separate_results values ($1, $2, $3)", [position, status, text]);
        // The first two die in between.
        const { rowCount } = await pool.query(
          "insert into deaths select pid from (values ($1::int)) as me (pid) where (select count(*) from deaths) < 2",
          [process.pid],
        );
        if (rowCount > 0) process.kill(process.pid, "SIGKILL");
        await batch.commit(results);
      },
    };
  },
};

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const beganMs = performance.now();
const summary = await runWorker({
  decision: pricing,
  source: isBroken ? broken : source,
  signal: stop.signal,
  idleMs: 20,
  logger: { error: () => {} },
  observer: { onCommitted: ({ counts }) => process.send?.({ counts }) },
  ...options,
});
process.send?.({ summary, seconds: (performance.now() - beganMs) / 1000 });
await pool.end();
process.disconnect?.();
