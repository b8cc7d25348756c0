import type { BulkSource, TakenBatch } from "@decern/bulk";
import pg from "pg";
import { expect, it } from "vitest";
import { postgresInbox } from "../../src/bulk.js";
import { pool, server, useDatabase } from "../database.js";
import { answer, answerAll, takeSome, textsOf } from "./support.js";

useDatabase({ fsync: "off" }, killWorkers);

const results = async () =>
  (
    await pool.query(
      "select id::text as id, reference, status, result from decern_inbox_results where inbox = 'loans' order by decern_inbox_results.id",
    )
  ).rows;

/** Ends the connection that has a batch, as PostgreSQL sees it where a worker was killed. */
async function killWorkers(): Promise<void> {
  await pool.query(
    "select pg_terminate_backend(pid, 60000) from pg_stat_activity where state = 'idle in transaction'",
  );
}

it("answers what was added, oldest first, and gives references back", async () => {
  const source = postgresInbox({ pool, name: "loans" });
  expect(await source.add([{ n: 1 }, "a\nb\0", null], ["x", "", "line\nbreak"])).toEqual(["1", "2", "3"]);
  await postgresInbox({ pool, name: "others" }).add([1]);
  await pool.query("insert into decern_inbox (inbox, input) values ('loans', 'no JSON\nat all')");
  expect(await source.backlog()).toMatchObject({ items: 4, dead: 0, oldestSeconds: expect.any(Number) });
  const batch = await takeSome(source, 3);
  expect(batch.items.map(({ position }) => position)).toEqual(["1", "2", "3"]);
  await answer(batch);
  const rest = await takeSome(source);
  expect(textsOf(rest)).toEqual(["no JSON\nat all"]);
  await rest.release();
  expect(await results()).toEqual([
    { id: "1", reference: "x", status: "OK", result: '{"n":1}' },
    { id: "2", reference: "", status: "OK", result: '"a\\nb\\u0000"' },
    { id: "3", reference: "line\nbreak", status: "OK", result: "null" },
  ]);
});

it("takes the oldest first, by number and not by text", async () => {
  const source = postgresInbox({ pool, name: "loans" });
  await source.add(Array.from({ length: 12 }, (_, n) => n));
  const first = await takeSome(source, 9);
  expect(textsOf(first)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  await answer(first);
  expect(await answerAll(source)).toEqual([3]);
});

it("reads only what it answers, however much waits and whatever the statistics say", async () => {
  const own = new pg.Pool(server.connection);
  const source = postgresInbox({ pool: own, name: "loans" });
  await source.prepare();
  await pool.query("insert into decern_inbox (inbox, input) select 'others', '1'");
  await pool.query("analyze decern_inbox");
  await pool.query(
    "insert into decern_inbox (inbox, input) select 'loans', i from generate_series(1, 20000) i",
  );
  for (let batch = 0; batch < 10; batch++) await answer(await takeSome(source, 100));
  await pool.query(
    "insert into decern_attempts (id, source, ids, items) select 1, 'inbox loans', array_agg(i), 100 from generate_series(5001, 5100) i",
  );
  await (await takeSome(source, 100)).release();
  // A connection reports what it read before it closes.
  await own.end();
  const read = async () =>
    (
      await pool.query(
        `select (idx_tup_fetch + seq_tup_read)::int as rows, n_tup_del::int as deleted
          from pg_stat_user_tables where relname = 'decern_inbox'`,
      )
    ).rows[0];
  await expect.poll(async () => (await read()).deleted).toBe(1000);
  expect((await read()).rows).toBeLessThan(5000);
});

it("gives no input to two workers, and what one releases to others at once", async () => {
  const source = postgresInbox({ pool, name: "loans" });
  await source.add([1, 2, 3]);
  const first = await takeSome(source, 2);
  const second = await takeSome(postgresInbox({ pool, name: "loans" }), 2);
  expect([...textsOf(first), ...textsOf(second)]).toEqual(["1", "2", "3"]);
  await first.release();
  await first.release();
  await expect(answer(first)).rejects.toThrow("committed or released before");
  const third = await takeSome(source, 2);
  expect(textsOf(third)).toEqual(["1", "2"]);
  await answer(third);
  await answer(second);
  expect(await results()).toHaveLength(3);
  expect((await pool.query("select * from decern_attempts")).rows).toEqual([]);
});

/** Takes the next batch as another process would, after a worker was killed with `batch`. */
async function takeAfterDeath(source: BulkSource, batch: TakenBatch): Promise<TakenBatch | undefined> {
  await killWorkers();
  await expect(answer(batch)).rejects.toThrow("PostgreSQL could not store results");
  const next = source.take(1000, new AbortController().signal);
  await expect.poll(async () => (await pool.query("select 1 from decern_attempts")).rows).toEqual([]);
  // Only in one process does the next batch wait for the end of this one. Its attempt has been counted.
  await batch.release();
  return next;
}

it("isolates an input that takes its worker with it, and buries it at the fifth try", async () => {
  const source = postgresInbox({ pool, name: "loans", endWhenEmpty: true });
  await source.add(Array.from({ length: 100 }, (_, n) => n));
  const sizes: number[] = [];
  for (let batch: TakenBatch | undefined = await takeSome(source); batch !== undefined; ) {
    if (textsOf(batch).includes("77")) {
      sizes.push(batch.items.length);
      batch = await takeAfterDeath(source, batch);
      if (batch?.items.length === 0) batch = await source.take(1000, new AbortController().signal);
    } else {
      await answer(batch);
      batch = await source.take(1000, new AbortController().signal);
    }
  }
  expect(sizes).toEqual([100, 32, 1, 1, 1]);
  expect(await results()).toHaveLength(99);
  expect(await source.deadLetters()).toEqual([
    {
      position: "78",
      input: "77",
      tries: 5,
      reason: expect.stringContaining("the worker was killed"),
      diedAt: expect.any(Date),
    },
  ]);
  expect(await source.backlog()).toEqual({ items: 0, dead: 1, oldestSeconds: 0 });
  expect(await source.retryDead(["1"])).toBe(0);
  expect(await source.retryDead()).toBe(1);
  expect(await answerAll(source)).toEqual([1]);
  expect(await results()).toHaveLength(100);
});

it("buries an input whose result the database refuses, and says why", async () => {
  const source = postgresInbox({ pool, name: "loans", endWhenEmpty: true });
  await source.add([1, 2]);
  await pool.query(
    "insert into decern_inbox_results (inbox, id, status, result) values ('loans', 2, 'OK', 'someone else')",
  );
  for (;;) {
    const batch = await source.take(1000, new AbortController().signal);
    if (batch === undefined) break;
    await answer(batch).catch(() => batch.release());
  }
  expect(await source.deadLetters()).toMatchObject([
    { position: "2", tries: 5, reason: expect.stringContaining("could not be stored: 23505") },
  ]);
  expect((await results()).map(({ result }) => result)).toEqual(["1", "someone else"]);
});

it.each(["crash", "stop"] as const)("counts no try where the database stopped: %s", async (stop) => {
  const source = postgresInbox({ pool, name: "loans" });
  await source.add([1, 2]);
  let batch = await takeSome(source);
  for (let round = 0; round < 6; round++) {
    expect(batch.items).toHaveLength(2);
    await server[stop]();
    await server.start();
    await expect(answer(batch)).rejects.toThrow("PostgreSQL");
    const next = await takeSome(postgresInbox({ pool, name: "loans" }));
    await batch.release();
    batch = next;
  }
  await answer(batch);
  expect(await results()).toHaveLength(2);
  expect(await source.deadLetters()).toEqual([]);
});

it("ends the batch of a worker that hangs, which counts as a try", async () => {
  const source = postgresInbox({ pool, name: "loans", batchTimeoutMs: 100 });
  await source.add([1]);
  const hanging = await takeSome(source);
  const other = postgresInbox({ pool, name: "loans" });
  await expect
    .poll(
      async () =>
        (await pool.query("select 1 from pg_stat_activity where state = 'idle in transaction'")).rows,
    )
    .toEqual([]);
  const batch = await takeAfterDeath(other, hanging);
  expect((await pool.query("select tries from decern_inbox")).rows).toEqual([{ tries: 1 }]);
  if (batch !== undefined) await answer(batch);
  expect(await results()).toHaveLength(1);
});
