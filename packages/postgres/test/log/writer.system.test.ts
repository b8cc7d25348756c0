import { describe, expect, it } from "vitest";
import { keptProfiles } from "../../../../test/support/sealed-records.js";
import { migrate, type PostgresPool, postgres } from "../../src/log.js";
import { pool, useDatabase } from "../database.js";
import { all, recordingLogger, seal } from "./records.js";

useDatabase();
const logger = recordingLogger();
const kept = new Map();

/** A pool whose statements reach PostgreSQL, while the reply to a write is lost. */
function losingReplies(): PostgresPool & { lose: boolean } {
  return {
    lose: true,
    async query(text, values) {
      const result = await pool.query(text, values);
      if (this.lose && text.includes('decern_records" (written_at'))
        throw new Error("Connection terminated unexpectedly");
      return result;
    },
    connect: () => pool.connect(),
    on: () => {},
    off: () => {},
  };
}

it("shows at the next opening that a write whose reply was lost is there", async () => {
  const faulty = losingReplies();
  const store = postgres({ pool: faulty });
  const writer = await store.open({ logger });
  const records = seal([{}, {}]);
  await expect(writer.write({ records, kept })).rejects.toThrow("could not write records");
  expect(writer.head).toBeNull();
  faulty.lose = false;
  const next = await store.open({ logger });
  expect(next.head).toBe(records[1]?.hash);
  const rest = seal([{}], next.head);
  await next.write({ records: rest, kept });
  expect(await all(store.chains())).toHaveLength(1);
  expect((await all(store.find({}))).map(({ hash }) => hash)).toEqual(
    [...records, ...rest].map(({ hash }) => hash),
  );
});

it("goes on with the chain of the same store, and begins one for another store", async () => {
  const store = postgres({ pool });
  const first = await store.open({ logger });
  const records = seal([{}]);
  await first.write({ records, kept });
  await first.close();
  await store.close();
  expect((await store.open({ logger })).head).toBe(records[0]?.hash);
  expect((await postgres({ pool }).open({ logger })).head).toBeNull();
});

describe("a write that is still under way when the store is opened again", () => {
  /** Resolves once so many statements wait for a lock. */
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await pool.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
        return rows.length;
      })
      .toBe(count);

  const outcomeOf = (write: Promise<void>) =>
    write.then(
      () => "written",
      (error: Error) => error.message,
    );

  it("is seen by the new writer, if it had reached the chain", async () => {
    const store = postgres({ pool });
    const old = await store.open({ logger });
    const blocker = await pool.connect();
    await blocker.query("begin");
    await blocker.query("insert into decern_profiles values ('sha256:p', '{}')");
    const records = seal([{}]);
    const late = outcomeOf(old.write({ records, kept: keptProfiles(["sha256:p", "{}"]) }));
    await waiting(1);
    const opening = store.open({ logger });
    await waiting(2);
    await blocker.query("commit");
    blocker.release();
    expect(await late).toBe("written");
    expect((await opening).head).toBe(records[0]?.hash);
    expect(await outcomeOf(old.write({ records: seal([{}], old.head), kept }))).toContain("Another writer");
    expect(await all(store.find({}))).toHaveLength(1);
  });

  it("writes nothing, if it had not", async () => {
    const store = postgres({ pool });
    const old = await store.open({ logger });
    const blocker = await pool.connect();
    await blocker.query("begin; lock table decern_records in share mode");
    const late = outcomeOf(old.write({ records: seal([{}]), kept }));
    await waiting(1);
    const next = await store.open({ logger });
    await blocker.query("commit");
    blocker.release();
    expect(await late).toContain("Another writer");
    expect(await all(store.find({}))).toEqual([]);
    await next.write({ records: seal([{}], next.head), kept });
    expect(await all(store.find({}))).toHaveLength(1);
  });
});

it("refuses to go on where somebody has moved the head", async () => {
  const store = postgres({ pool });
  const writer = await store.open({ logger });
  await writer.write({ records: seal([{}]), kept });
  await pool.query("update decern_chains set head = 'sha256:else'");
  await expect(writer.write({ records: seal([{}], writer.head), kept })).rejects.toThrow("Another writer");
  expect(await all(store.find({}))).toHaveLength(1);
});

it("writes all of a statement or none of it", async () => {
  const store = postgres({ pool });
  const writer = await store.open({ logger });
  const records = seal([{}, { recordId: "no uuid" }]);
  const kept = keptProfiles(["sha256:p", "{}"]);
  await expect(writer.write({ records, kept })).rejects.toThrow("22P02");
  expect(await all(store.find({}))).toEqual([]);
  expect(await store.profile("sha256:p")).toBeUndefined();
  expect((await store.open({ logger })).head).toBeNull();
});

describe("a month without a table", () => {
  it("gets one within the write, from four writers at once", async () => {
    const stores = Array.from({ length: 4 }, () => postgres({ pool }));
    const writers = await Promise.all(stores.map((store) => store.open({ logger })));
    const { rows } = await pool.query(
      "select relname from pg_class where relkind = 'r' and relname ~ '^decern_records_'",
    );
    expect(rows).toHaveLength(2);
    for (const { relname } of rows) await pool.query(`drop table ${relname}`);
    await Promise.all(writers.map((writer) => writer.write({ records: seal([{}]), kept })));
    expect(await all(postgres({ pool }).find({}))).toHaveLength(4);
  });

  it("gets one while a search is open, without waiting for it", async () => {
    const store = postgres({ pool });
    const writer = await store.open({ logger });
    await writer.write({ records: seal(Array.from({ length: 1200 }, () => ({}))), kept });
    let read = 0;
    for await (const _ of store.find({})) {
      if (read === 0) await migrate(pool, { monthsAhead: 6 });
      read++;
    }
    expect(read).toBe(1200);
    expect(
      (await pool.query("select 1 from pg_class where relkind = 'r' and relname ~ '^decern_records_'")).rows,
    ).toHaveLength(7);
  });
});

it("does not tell what it was sent", async () => {
  const store = postgres({ pool });
  const writer = await store.open({ logger });
  await pool.query("alter table decern_records add check (caller <> 'Ann Example')");
  const failure = await writer
    .write({
      records: seal([{ caller: "Ann Example", payload: { salt: "x", input: "Ann Example" } }]),
      kept,
    })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("Ann");
});
