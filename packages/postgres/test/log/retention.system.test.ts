import { expect, it } from "vitest";
import { monthOf } from "../../src/log/months.js";
import { postgres } from "../../src/log.js";
import { pool, useDatabase } from "../database.js";
import { all, type Facts, lineOf, recordingLogger, seal } from "./records.js";

useDatabase();

const now = new Date();
const kept = new Map();

/** Makes the first records of every chain as old as if they had been written so many months ago. */
async function age(monthsAgo: number, count: number): Promise<string> {
  const { table, start, end } = monthOf(now, -monthsAgo);
  await pool.query(
    `create table ${table} partition of decern_records for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
  );
  await pool.query("update decern_records set written_at = $1 where position <= $2", [start, count]);
  return table;
}

const tables = async () =>
  (
    await pool.query(
      "select relname from pg_class where relkind = 'r' and relname ~ '^decern_records_\\d' order by relname",
    )
  ).rows.map(({ relname }) => relname);

async function write(facts: readonly Facts[]) {
  const store = postgres({ pool });
  const writer = await store.open({ logger: recordingLogger() });
  const records = seal(facts, writer.head);
  await writer.write({ records, kept });
  return { writer, records };
}

/** Opens a store that keeps records so long, and waits for what it drops. */
async function dropOlder(keepDays: number): Promise<readonly string[]> {
  const logger = recordingLogger();
  const store = postgres({ pool, keepDays });
  await store.open({ logger });
  await store.close();
  return logger.lines;
}

it("drops whole months that are too old, and the chains lack their first records", async () => {
  // The instant of an evaluation does not matter: a chain loses its first records, never one in between.
  const { records } = await write([
    { recordedAt: "2026-05-01T00:00:00.001Z" },
    { recordedAt: "2026-04-30T23:59:59.999Z" },
    {},
    { recordedAt: "2001-01-01T00:00:00.000Z" },
  ]);
  const aged = await age(3, 2);
  const lines = await dropOlder(50);
  expect(lines).toEqual([expect.stringContaining(JSON.stringify({ table: aged, records: 2 }))]);
  expect(await tables()).toEqual([monthOf(now).table, monthOf(now, 1).table]);
  const [chain] = await all(postgres({ pool }).chains());
  expect(chain).toMatchObject({ mayLackFirst: true, head: records[3]?.hash });
  expect((await all(chain?.records ?? [])).map(({ text }) => text)).toEqual(records.slice(2).map(lineOf));
  expect(await postgres({ pool }).stats()).toMatchObject({ records: 2 });
});

it("keeps a month until its last day is too old", async () => {
  await write([{}]);
  const aged = await age(2, 1);
  const days = (now.getTime() - monthOf(now, -2).end.getTime()) / 86_400_000;
  expect(await dropOlder(Math.ceil(days))).toEqual([]);
  expect(await tables()).toContain(aged);
  expect(await dropOlder(Math.floor(days))).toHaveLength(1);
  expect(await tables()).not.toContain(aged);
  // A chain with no record has nothing left to check.
  expect((await all(postgres({ pool }).chains())).map(({ head }) => head)).toEqual([null, null, null]);
});

it("drops nothing unless it is asked to", async () => {
  await write([{}]);
  const aged = await age(400, 1);
  const store = postgres({ pool });
  await store.open({ logger: recordingLogger() });
  await store.close();
  expect(await tables()).toContain(aged);
});

it("goes on where it was interrupted, and leaves alone what somebody else detached", async () => {
  await write([{}, {}, {}]);
  const interrupted = await age(5, 3);
  const archived = await age(4, 2);
  await pool.query(`alter table decern_records detach partition ${archived}`);
  await pool.query(`comment on table ${interrupted} is 'decern: too old'`);
  await pool.query(`alter table decern_records detach partition ${interrupted}`);
  expect(await dropOlder(30)).toHaveLength(1);
  expect(await tables()).toEqual([archived, monthOf(now).table, monthOf(now, 1).table]);
  expect((await all(postgres({ pool }).chains()))[0]).toMatchObject({ mayLackFirst: true });
});

it("goes on writing while it waits for a search that is open", async () => {
  const { writer } = await write(Array.from({ length: 1200 }, () => ({})));
  const aged = await age(3, 600);
  let read = 0;
  let dropped: Promise<readonly string[]> | undefined;
  for await (const _ of postgres({ pool }).find({})) {
    if (read === 0) {
      dropped = dropOlder(30);
      await expect
        .poll(
          async () =>
            (await pool.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).rows,
        )
        .toHaveLength(1);
      await writer.write({ records: seal([{}], writer.head), kept });
      expect(await all(postgres({ pool }).find({ limit: 5 }))).toHaveLength(5);
    }
    read++;
  }
  expect(read).toBe(1200);
  expect(await dropped).toHaveLength(1);
  expect(await tables()).not.toContain(aged);
  expect(await postgres({ pool }).stats()).toMatchObject({ records: 601 });
});

it("is done by one process at a time", async () => {
  await write([{}, {}]);
  await age(3, 1);
  const lines = await Promise.all(Array.from({ length: 4 }, () => dropOlder(30)));
  expect(lines.flat()).toEqual([expect.stringContaining("dropped records past their retention")]);
});
