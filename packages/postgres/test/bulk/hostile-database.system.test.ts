import pg from "pg";
import { expect, it } from "vitest";
import { postgresChunks, postgresInbox } from "../../src/bulk.js";
import { pool, server, useDatabase } from "../database.js";
import { answer, answerAll, march, takeSome } from "./support.js";

useDatabase({ fsync: "off" });

const signal = new AbortController().signal;
const reasons = async () => (await pool.query("select reason from decern_attempts")).rows;

/** Runs `work` with a pool of another role, whose settings are `settings`. */
async function asRole(settings: string, work: (own: pg.Pool) => Promise<void>): Promise<void> {
  await pool.query("drop role if exists worker; create role worker login");
  if (settings !== "") await pool.query(`alter role worker set ${settings}`);
  const own = new pg.Pool({ ...server.connection, user: "worker" });
  try {
    await work(own);
  } finally {
    await own.end();
    await pool.query("drop owned by worker; drop role worker");
  }
}

it("works where transactions are serializable by default", async () => {
  await asRole("default_transaction_isolation = serializable", async (own) => {
    const source = postgresInbox({ pool: own, name: "loans", endWhenEmpty: true });
    await source.add(Array.from({ length: 60 }, (_, n) => n));
    const first = await takeSome(source, 20);
    const second = await takeSome(source, 20);
    await answer(first);
    const third = await takeSome(source, 20);
    await Promise.all([answer(second), answer(third)]);
    expect(await source.take(1, signal)).toBeUndefined();
  });
});

it("says so where a role may not write, or sees only some of the rows", async () => {
  await pool.query("create table loans (id int primary key); insert into loans values (1), (2)");
  await postgresInbox({ pool, name: "loans" }).add([1]);
  await asRole("", async (own) => {
    await pool.query("grant select on all tables in schema public to worker");
    await expect(postgresInbox({ pool: own, name: "loans" }).take(1, signal)).rejects.toThrow(
      "PostgreSQL could not take inputs: 42501: permission denied",
    );
    await pool.query("grant all on all tables in schema public to worker");
    await pool.query(
      "alter table loans enable row level security; create policy few on loans using (id = 1)",
    );
    await expect(postgresChunks({ ...march, pool: own }).prepare()).rejects.toThrow("row-level security");
    await pool.query("alter table loans disable row level security");
    const source = postgresChunks({ ...march, pool: own });
    await source.prepare();
    await pool.query("alter table loans enable row level security");
    await expect(source.take(1, signal)).rejects.toThrow("row-level security");
    await pool.query("alter table loans disable row level security");
    expect(await answerAll(source)).toEqual([2]);
  });
});

it("refuses a database whose encoding does not say what its bytes mean", async () => {
  await pool.query("create database bytes encoding 'SQL_ASCII' locale 'C' template template0");
  const own = new pg.Pool({ ...server.connection, database: "bytes" });
  await expect(postgresInbox({ pool: own, name: "loans" }).prepare()).rejects.toThrow("SQL_ASCII");
  await own.end();
});

it("counts a try of a batch that its only worker had for too long", async () => {
  const source = postgresInbox({ pool, name: "loans", batchTimeoutMs: 100 });
  await source.add([1, 2]);
  const batch = await takeSome(source);
  await expect
    .poll(
      async () =>
        (await pool.query("select 1 from pg_stat_activity where state = 'idle in transaction'")).rows,
    )
    .toEqual([]);
  await expect(answer(batch)).rejects.toThrow("PostgreSQL could not store results");
  await batch.release();
  expect(await reasons()).toEqual([{ reason: "The worker had the input for longer than 100 ms" }]);
  const patient = postgresInbox({ pool, name: "loans" });
  const again = await takeSome(patient);
  expect((await pool.query("select tries from decern_inbox")).rows).toEqual([{ tries: 1 }, { tries: 1 }]);
  await answer(again);
});

it("counts a try of rows whose input takes the database too long", async () => {
  await pool.query("create table loans (id int primary key); insert into loans values (1), (2)");
  const input = "(select to_json(t.id) from pg_sleep(case when t.id = 2 then 600 else 0 end))";
  const source = postgresChunks({ ...march, pool, input, batchTimeoutMs: 500 });
  await source.prepare();
  await expect(source.take(10, signal)).rejects.toThrow("57014");
  expect(await reasons()).toEqual([{ reason: expect.stringContaining("could not be read: 57014") }]);
});

it("leaves a connection of the pool free, whatever sources share it", async () => {
  const small = new pg.Pool({ ...server.connection, max: 3 });
  const one = postgresInbox({ pool: small, name: "one" });
  const other = postgresInbox({ pool: small, name: "other" });
  await one.add([1, 2, 3]);
  await other.add([1, 2, 3]);
  const batches = [await takeSome(one, 1), await takeSome(other, 1)];
  expect((await one.take(1, signal))?.items).toEqual([]);
  expect((await other.take(1, signal))?.items).toEqual([]);
  await Promise.all(batches.map(answer));
  expect(await answerAll(one)).toEqual([2]);
  expect(await answerAll(other)).toEqual([2]);
  await small.end();
});

it("takes nothing once the worker was told to stop while it waited for its turn", async () => {
  const source = postgresInbox({ pool, name: "loans" });
  await source.add([1, 2]);
  const first = await takeSome(source, 1);
  await pool.query("update decern_inbox set tries = 1 where id = 2");
  const stop = new AbortController();
  const waiting = source.take(1, stop.signal);
  stop.abort();
  await answer(first);
  expect((await waiting)?.items).toEqual([]);
  expect(await answerAll(source)).toEqual([1]);
});
