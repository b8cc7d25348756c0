import { describe, expect, it } from "vitest";
import { keptProfiles } from "../../../../test/support/sealed-records.js";
import { postgres } from "../../src/log.js";
import { pool, useDatabase } from "../database.js";
import { all, type Facts, lineOf, recordingLogger, seal, sha256 } from "./records.js";

useDatabase();
const logger = recordingLogger();

const write = async (facts: readonly Facts[], kept = keptProfiles()) => {
  const store = postgres({ pool });
  const writer = await store.open({ logger });
  const records = seal(facts, writer.head);
  await writer.write({ records, kept });
  return { store, writer, records };
};

describe("what is written is found", () => {
  it("as it was written, in the order of its chain", async () => {
    const { store, records } = await write([
      {
        recordedAt: "2026-03-02T00:00:00.123Z",
        payload: { salt: "x", input: { "a\nb": ['"\\', "é\u0000"] } },
      },
      { recordedAt: "2026-03-01T00:00:00.000Z" },
    ]);
    const found = await all(store.find({}));
    expect(found).toEqual(records.map((record) => JSON.parse(lineOf(record))));
    const [chain] = await all(store.chains());
    const stored = await all(chain?.records ?? []);
    expect(stored.map(({ text }) => text)).toEqual(records.map(lineOf));
    expect(chain).toMatchObject({ head: records[1]?.hash, mayLackFirst: false });
  });

  it("by every condition, alone and together", async () => {
    const facts: readonly Facts[] = [
      {
        recordedAt: "2026-01-01T00:00:00.000Z",
        requestId: "a",
        caller: "ann",
        rule: "r1",
        subject: sha256("s1"),
      },
      { recordedAt: "2026-01-02T00:00:00.000Z", requestId: "b", decision: "access", status: "NO_MATCH" },
      { recordedAt: "2026-01-03T00:00:00.000Z", requestId: "a", version: "2.0.0", subject: sha256("s2") },
      {
        recordedAt: "2026-01-04T00:00:00.000Z",
        requestId: "d",
        caller: "ann",
        status: "ERROR",
        payload: null,
      },
    ];
    const { store, records } = await write(facts);
    const positions = async (query: Parameters<typeof store.find>[0]) =>
      (await all(store.find(query))).map(({ recordId }) =>
        records.findIndex((record) => record.recordId === recordId),
      );
    expect(await positions({ requestId: "a" })).toEqual([0, 2]);
    expect(await positions({ caller: "ann" })).toEqual([0, 3]);
    expect(await positions({ caller: "ann", status: "ERROR" })).toEqual([3]);
    expect(await positions({ decision: "access" })).toEqual([1]);
    expect(await positions({ version: "2.0.0" })).toEqual([2]);
    expect(await positions({ rule: "r1" })).toEqual([0]);
    expect(await positions({ status: "OK" })).toEqual([0, 2]);
    expect(await positions({ recordId: records[3]?.recordId })).toEqual([3]);
    expect(await positions({ recordId: records[3]?.recordId, caller: "bob" })).toEqual([]);
    for (const recordId of ["no such id", "", "\0", "%", "0x01890000", `${records[3]?.recordId}\n`]) {
      expect(await positions({ recordId }), recordId).toEqual([]);
    }
    expect(await positions({ subjects: [sha256("s2"), sha256("s1")] })).toEqual([0, 2]);
    expect(await positions({ subjects: [] })).toEqual([]);
    const second = new Date("2026-01-02T00:00:00.000Z");
    const fourth = new Date("2026-01-04T00:00:00.000Z");
    expect(await positions({ from: second, to: fourth })).toEqual([1, 2]);
    expect(await positions({ newestFirst: true })).toEqual([3, 2, 1, 0]);
    expect(await positions({ newestFirst: true, limit: 2 })).toEqual([3, 2]);
    expect(await positions({ limit: 3 })).toEqual([0, 1, 2]);
    expect(await positions({ limit: 0 })).toEqual([]);
  });

  it("by its id, wherever its id says that it was written", async () => {
    const { store, records } = await write([{ madeAt: "2001-01-01" }, { madeAt: "2150-01-01" }, {}]);
    for (const { recordId } of records) {
      expect(await all(store.find({ recordId }))).toMatchObject([{ recordId }]);
    }
  });

  it("although PostgreSQL cannot hold or index its texts", async () => {
    const texts = ["a\0b", "x\ny", "\\N", "", "long ".repeat(2000), "“".repeat(600)];
    const { store } = await write(
      texts.map((text) => ({
        requestId: text,
        caller: text,
        decision: text,
        version: text,
        rule: text,
        subject: text,
      })),
    );
    for (const text of texts) {
      const query = {
        requestId: text,
        caller: text,
        decision: text,
        version: text,
        rule: text,
        subjects: [text],
      };
      const found = await all(store.find(query));
      expect(found.map(({ caller }) => caller)).toEqual([text]);
    }
  });

  it("in one batch larger than one statement", async () => {
    const facts = Array.from(
      { length: 30 },
      (): Facts => ({ payload: { salt: "x", input: "y".repeat(400_000) } }),
    );
    const { store, records, writer } = await write(facts);
    expect(writer.head).toBe(records.at(-1)?.hash);
    expect((await all(store.find({}))).map(({ hash }) => hash)).toEqual(records.map(({ hash }) => hash));
  });

  it("whatever its instant is", async () => {
    const instants = [
      "-271821-04-20",
      "0000-01-01",
      "1969-12-31T23:59:59.999Z",
      "2019-05-05",
      "+275760-09-13",
    ];
    const { store } = await write(
      instants.map((instant) => ({ recordedAt: new Date(instant).toISOString() })),
    );
    const found = await all(store.find({ newestFirst: true }));
    expect(found.map(({ recordedAt }) => recordedAt)).toEqual(
      instants.map((instant) => new Date(instant).toISOString()).reverse(),
    );
    expect(await all(store.find({ to: new Date("-271821-04-20T00:00:00.001Z") }))).toEqual([]);
  });
});

it("keeps each profile once", async () => {
  const hash = sha256('{"limit":5}');
  const { store, writer } = await write([{}], keptProfiles([hash, '{"limit":5}']));
  await writer.write({ records: seal([{}], writer.head), kept: keptProfiles([hash, '{"limit":5}']) });
  await write([{}], keptProfiles([hash, '{"limit":5}']));
  expect(await store.profile(hash)).toEqual({ limit: 5 });
  expect(await store.profile(sha256("other"))).toBeUndefined();
  expect((await pool.query("select * from decern_profiles")).rows).toHaveLength(1);
});

it("erases payloads, and leaves every line as it was otherwise", async () => {
  const subject = sha256("s");
  const { store, records } = await write([{ subject, payload: { salt: "x", input: "Ann Example" } }, {}]);
  expect(await store.erase([sha256("nobody")])).toBe(0);
  expect(await store.erase([sha256("t"), subject])).toBe(1);
  expect(await store.erase([subject])).toBe(0);
  const [first, second] = await all(store.find({}));
  expect(first).toEqual({ ...JSON.parse(lineOf(records[0])), payload: null });
  expect(second).toEqual(JSON.parse(lineOf(records[1])));
  expect(await store.stats()).toMatchObject({ records: 2, withoutPayload: 1 });
});

it("reports what it holds", async () => {
  const store = postgres({ pool });
  expect(await store.stats()).toMatchObject({ records: 0, bytes: 0, withoutPayload: 0 });
  await write([
    { recordedAt: "2026-02-01T00:00:00.007Z" },
    { recordedAt: "2026-01-01T00:00:00.000Z", payload: null },
  ]);
  expect(await store.stats()).toMatchObject({
    records: 2,
    oldest: new Date("2026-01-01T00:00:00.000Z"),
    newest: new Date("2026-02-01T00:00:00.007Z"),
    withoutPayload: 1,
  });
  expect((await store.stats()).bytes).toBeGreaterThan(10_000);
});

it("finds nothing before the tables are there, and creates none", async () => {
  const store = postgres({ pool });
  expect(await all(store.find({}))).toEqual([]);
  expect(await all(store.chains())).toEqual([]);
  expect(await store.profile("sha256:x")).toBeUndefined();
  expect(await store.erase(["sha256:x"])).toBe(0);
  expect((await pool.query("select * from pg_tables where schemaname = 'public'")).rows).toEqual([]);
});

it("gives connections back when a reader stops early", async () => {
  const { store } = await write(Array.from({ length: 1200 }, () => ({})));
  for (let round = 0; round < 30; round++) {
    for await (const record of store.find({})) {
      expect(record.recordVersion).toBe(1);
      break;
    }
  }
  expect(pool.idleCount).toBe(pool.totalCount);
});
