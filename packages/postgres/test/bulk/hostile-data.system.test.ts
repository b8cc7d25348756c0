import { expect, it } from "vitest";
import { type ChunksOptions, postgresChunks, postgresInbox } from "../../src/bulk.js";
import { pool, useDatabase } from "../database.js";
import { answer, answerAll, march, takeSome, textsOf, workOff } from "./support.js";

useDatabase({ fsync: "off" });

const chunksOf = (options: Partial<ChunksOptions> = {}) => postgresChunks({ ...march, pool, ...options });
const count = async (table: string) =>
  (await pool.query(`select count(*)::int as n, count(distinct position)::int as different from ${table}`))
    .rows[0];

it("works with names that need quotes", async () => {
  const schema = "Wei\"rd 'schéma' 雪 $1";
  await pool.query(`drop schema if exists "${schema.replaceAll('"', '""')}" cascade`);
  await pool.query(
    'create schema "My ""S"; create table "My ""S"."tä ble""; --" ("Key ""x" int primary key, "t" text, "chosen" int)',
  );
  await pool.query(`insert into "My ""S"."tä ble""; --" select i, 'T', i from generate_series(1, 5) i`);
  const options = { schema, table: '"My ""S"."tä ble""; --"', key: 'Key "x', job: "a'b\"\n雪" };
  const whole = chunksOf(options);
  const batch = await takeSome(whole);
  expect(textsOf(batch)[0]).toBe('{"Key \\"x":1,"t":"T","chosen":1}');
  await answer(batch);
  const chosen = await takeSome(chunksOf({ ...options, job: "2", columns: ["chosen", "t"] }));
  expect(textsOf(chosen)[0]).toBe('{"chosen":1,"t":"T"}');
  await chosen.release();
  const inbox = postgresInbox({ pool, schema, name: "in'box \"\n雪" });
  await inbox.add([1], ["r"]);
  expect(await answerAll(inbox)).toEqual([1]);
});

it.each([
  ["a domain", "create domain k as text collate \"C\" check (value <> '')", "k", "'K' || i"],
  ["an ICU collation", "", 'text collate "en-x-icu"', "(array['a','B','c','Ä'])[i % 4 + 1] || i"],
  ["an enum", "create type e as enum ('z', 'y', 'x', 'w', 'v')", "e", "(enum_range(null::e))[i]"],
  ["character", "", "character(8)", "'k' || i"],
  ["date", "", "date", "'0001-12-30 BC'::date + i"],
  ["interval", "", "interval", "make_interval(months => i, days => -i)"],
  ["an array", "", "int[]", "array[i, -i]"],
])("divides by a key that is %s", async (_, before, type, value) => {
  await pool.query(`${before}; create table loans (id ${type} primary key, n int)`);
  await pool.query(`insert into loans select ${value}, i from generate_series(1, 5) i`);
  await pool.query("alter database postgres set intervalstyle = 'iso_8601'");
  expect(await answerAll(chunksOf({ chunkItems: 2 }), 1)).toEqual([1, 1, 1, 1, 1]);
  expect(await count("decern_job_results")).toEqual({ n: 5, different: 5 });
});

it("refuses tables whose key does not tell rows apart, and inputs that do not parse", async () => {
  await pool.query("create table loans (id int primary key, a int); create table more () inherits (loans)");
  await expect(chunksOf().prepare()).rejects.toMatchObject({
    code: "INVALID_OPTIONS",
    problems: [{ path: "/table", message: expect.stringContaining("inherit") }],
  });
  await pool.query("drop table more");
  const refused = async (options: Partial<ChunksOptions>, path: string) =>
    expect(chunksOf(options).prepare()).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path }],
    });
  await refused({ table: "my loans; drop" }, "/table");
  await refused({ columns: ["a", "missing"] }, "/columns");
  await refused({ input: "t.missing" }, "/input");
  await refused({ input: "to_json(t.a" }, "/input");
  expect(await answerAll(chunksOf({ input: "to_json(t.a) -- the amount" }))).toEqual([]);
});

it("buries rows whose input cannot be computed, says why, and answers all others", async () => {
  await pool.query("create table loans (id int primary key, amount text)");
  await pool.query("insert into loans select i, i from generate_series(1, 100) i");
  await pool.query("update loans set amount = 'secret' where id in (50, 100)");
  const source = chunksOf({ input: "to_json(t.amount::int)" });
  const { failures } = await workOff(source);
  // The first batch had both.
  expect(failures).toHaveLength(9);
  expect(String(failures[0])).toContain("could not take rows: 22P02");
  expect(String(failures[0])).not.toContain("secret");
  expect(await count("decern_job_results")).toEqual({ n: 98, different: 98 });
  const reason = expect.stringContaining("could not be read: 22P02");
  expect(await source.deadLetters()).toMatchObject([
    { position: "50", input: null, tries: 5, reason },
    { position: "100", input: null, tries: 5, reason },
  ]);
  await pool.query("update loans set amount = '7' where id = 50");
  expect(await source.retryDead()).toBe(2);
  await workOff(source);
  expect(await count("decern_job_results")).toEqual({ n: 99, different: 99 });
  expect(await source.backlog()).toEqual({ items: 0, dead: 1, oldestSeconds: 0 });
});

it("gives JSON of every column type as it was stored", async () => {
  await pool.query("create table loans (id int primary key, a json, b jsonb, c text)");
  const odd = String.raw`{"a":1,"a":2,"n":1e400,"big":12345678901234567890,"nul":"\u0000","half":"\ud800"}`;
  await pool.query("insert into loans values (1, $1::text::json, $2, $1::text)", [
    odd,
    '{"a":1,"a":2,"n":1e400}',
  ]);
  const texts = async (input: string, job: string) => {
    const batch = await takeSome(chunksOf({ input, job }));
    await batch.release();
    return textsOf(batch)[0];
  };
  expect(await texts("t.a", "json")).toBe(odd);
  expect(await texts("t.c", "text")).toBe(odd);
  expect(await texts("t.b", "jsonb")).toBe(`{"a": 2, "n": 1${"0".repeat(400)}}`);
  const inbox = postgresInbox({ pool, name: "loans" });
  await inbox.prepare();
  for (const column of ["a", "b"])
    await pool.query(`insert into decern_inbox (inbox, input) select 'loans', ${column} from loans`);
  const batch = await takeSome(inbox);
  await batch.release();
  expect(textsOf(batch)).toEqual([odd, `{"a": 2, "n": 1${"0".repeat(400)}}`]);
});

it.each(["chunks", "inbox"] as const)("buries an input whose result holds U+0000: %s", async (kind) => {
  await pool.query(
    "create table loans (id int primary key); insert into loans select generate_series(1, 40)",
  );
  const inbox = postgresInbox({ pool, name: "loans", endWhenEmpty: true });
  await inbox.add(Array.from({ length: 40 }, (_, index) => index + 1));
  const source = kind === "inbox" ? inbox : chunksOf();
  const { sizes } = await workOff(source, (item) => (item.position === "7" ? "\0" : "fine"));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(39);
  expect(await source.deadLetters()).toMatchObject([
    { position: "7", reason: expect.stringContaining("could not be stored: 22021") },
  ]);
});

it("isolates an input whose result a trigger refuses, or no string can hold", async () => {
  const inbox = postgresInbox({ pool, name: "loans", endWhenEmpty: true });
  await inbox.add([1, 2, 3]);
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.id = 2 then raise exception 'not this one'; end if; return new; end $$;
    create trigger refuse before insert on decern_inbox_results for each row execute function refuse()`);
  await workOff(inbox, (item) => {
    if (item.position === "3") throw new RangeError("Invalid string length");
    return "fine";
  });
  expect(await inbox.deadLetters()).toMatchObject([
    { position: "2", reason: expect.stringContaining("P0001: not this one") },
    { position: "3", reason: expect.stringContaining("Invalid string length") },
  ]);
});

it("refuses what PostgreSQL would store otherwise, before it stores anything", async () => {
  const inbox = postgresInbox({ pool, name: "loans" });
  const circular: unknown[] = [];
  circular.push(circular);
  await expect(inbox.add([circular, 1n, 3], ["\0", "\ud800", "fine"])).rejects.toMatchObject({
    problems: ["/inputs/0", "/inputs/1", "/references/0", "/references/1"].map((path) => ({ path })),
  });
  expect(await inbox.backlog()).toMatchObject({ items: 0 });
  await expect(
    pool.query("insert into decern_inbox (inbox, input, tries) values ('loans', '1', -1)"),
  ).rejects.toThrow("check");
});

it("answers each row once while others are inserted and deleted", async () => {
  await pool.query(
    "create table loans (id int primary key); insert into loans select i * 10 from generate_series(1, 50) i",
  );
  const source = chunksOf({ chunkItems: 10 });
  await source.prepare();
  for (let n = 0; ; n += 1) {
    const batch = await source.take(7, new AbortController().signal);
    if (batch === undefined) break;
    await pool.query("insert into loans values ($1)", [n * 40 + 1]);
    await pool.query("delete from loans where id = $1", [500 - n * 30]);
    await answer(batch);
  }
  const { rows } = await pool.query(
    "select count(*)::int as missing from loans where id % 10 = 0 and not exists (select 1 from decern_job_results r where r.position = id::text)",
  );
  expect(rows).toEqual([{ missing: 0 }]);
  expect(await source.deadLetters()).toEqual([]);
});
