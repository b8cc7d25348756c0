import { DecernError } from "@decern/core";
import { expect, it } from "vitest";
import { type ChunksOptions, postgresChunks } from "../../src/bulk.js";
import { pool, useDatabase } from "../database.js";
import { answer, answerAll, march, takeSome, textsOf } from "./support.js";

useDatabase({ fsync: "off" });

const { revision } = march;
const chunksOf = (options: Partial<ChunksOptions> = {}) =>
  postgresChunks({ ...march, pool, chunkItems: 7, ...options });
const results = async () =>
  (await pool.query("select position, result from decern_job_results order by position")).rows;

/** The problems of options that are refused when the job is prepared. */
async function problemsOf(options: Partial<ChunksOptions>): Promise<readonly string[]> {
  const refusal = await chunksOf(options)
    .prepare()
    .catch((error: unknown) => error);
  if (!(refusal instanceof DecernError)) throw new Error("it was not refused", { cause: refusal });
  return refusal.problems.map(({ path, message }) => `${path} ${message}`);
}

it.each([
  ["bigint", "i::bigint * 1000000007"],
  ['text collate "C"', "E'a\\nb,\\\\N' || i || ' '"],
  ["text", "case i when 1 then '' else 'é\"''' || i end"],
  ["uuid", "md5(i::text)::uuid"],
  ["timestamptz", "'2026-03-29 00:30:00+00'::timestamptz + i * interval '17 minutes 0.000001 seconds'"],
  ["double precision", "i / 3.0"],
  ["numeric", "i / 7.0"],
  ["bytea", "decode(md5(i::text), 'hex')"],
])("divides by a key of type %s", async (type, value) => {
  await pool.query(`create table loans (id ${type} primary key, n int)`);
  await pool.query(`insert into loans select ${value}, i from generate_series(1, 40) as i`);
  await pool.query("alter database postgres set timezone = 'Europe/Paris'");
  const source = chunksOf();
  expect(await source.backlog()).toMatchObject({ items: 40, dead: 0 });
  expect((await answerAll(source, 3)).reduce((sum, size) => sum + size, 0)).toBe(40);
  expect(await source.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
  const { rows } = await pool.query(
    `select count(*)::int as n, count(distinct (result::json ->> 'n'))::int as different,
      bool_and((result::json ->> 'n')::int = loans.n) as right
    from decern_job_results join loans on loans.id = position::${type.replace(/ collate.*/, "")}`,
  );
  expect(rows).toEqual([{ n: 40, different: 40, right: true }]);
});

it("gives chosen columns, or an expression, and the instant of the job", async () => {
  await pool.query('create table loans (id int primary key, "A b" int, secret text)');
  await pool.query("insert into loans values (1, 5, 'x'), (2, null, 'y')");
  const now = new Date("2026-03-01T00:00:00.123Z");
  const chosen = await takeSome(chunksOf({ columns: ["A b"], now }));
  expect(chosen.epochMs).toBe(now.getTime());
  expect(textsOf(chosen)).toEqual(['{"A b":5}', '{"A b":null}']);
  await answer(chosen);
  const made = await takeSome(
    chunksOf({ job: "april", input: `case when t.id = 1 then json_build_object('n', t."A b" + 1) end` }),
  );
  expect(textsOf(made)).toEqual(['{"n" : 6}', "null"]);
  await answer(made);
});

it("refuses another revision, table, input or instant for a job that was begun", async () => {
  await pool.query("create table loans (id int primary key); create table others (id int primary key)");
  await chunksOf({ now: new Date(1) }).prepare();
  await chunksOf().prepare();
  await chunksOf({ now: new Date(1), chunkItems: 9 }).prepare();
  expect(await problemsOf({ revision: { ...revision, version: "2" } })).toEqual([
    "/revision/version job march was started with 1, not 2; use another name for a new job",
  ]);
  const others = {
    table: "others",
    now: new Date(2),
    columns: ["id"],
    revision: { ...revision, profile: "p" },
  };
  expect((await problemsOf(others)).map((problem) => problem.split(" ")[0])).toEqual([
    "/table",
    "/input",
    "/revision/profile",
    "/now",
  ]);
});

it("refuses a table that cannot be divided", async () => {
  await pool.query(`create table loans (id int, a int, b int unique, c int not null unique deferrable, d int not null, primary key (id, a));
    create unique index on loans (d) where d > 0; create view seen as select * from loans`);
  expect(await problemsOf({ table: "nowhere" })).toEqual(["/table table nowhere does not exist"]);
  expect(await problemsOf({ table: "seen" })).toEqual([expect.stringContaining("/table must be a table")]);
  expect(await problemsOf({ key: "missing" })).toEqual(["/key public.loans has no column missing"]);
  for (const key of ["id", "b", "c", "d"])
    expect(await problemsOf({ key })).toEqual([
      expect.stringContaining("keys of several columns are not supported"),
    ]);
});

it("ends for an empty table, and passes over rows that were deleted", async () => {
  await pool.query("create table loans (id int primary key)");
  expect(await chunksOf({ job: "empty" }).take(5, new AbortController().signal)).toBeUndefined();
  await pool.query("insert into loans select generate_series(1, 30)");
  const source = chunksOf();
  await source.prepare();
  await pool.query("delete from loans where id <= 14 or id = 21 or id > 25");
  await answerAll(source);
  expect((await results()).length).toBe(10);
  expect(await source.take(5, new AbortController().signal)).toBeUndefined();
});

it("is prepared by several workers at once", async () => {
  await pool.query("create table loans (id int primary key)");
  await pool.query("insert into loans select generate_series(1, 30)");
  await Promise.all(Array.from({ length: 5 }, () => chunksOf().prepare()));
  expect((await pool.query("select count(*)::int as n from decern_chunks")).rows).toEqual([{ n: 5 }]);
});

it("buries a row whose result the database refuses, and has it answered after all", async () => {
  await pool.query("create table loans (id int primary key)");
  await pool.query("insert into loans select generate_series(1, 100)");
  const source = chunksOf({ chunkItems: 1000 });
  await source.prepare();
  await pool.query("insert into decern_job_results values ('march', '77', 'OK', 'someone else')");
  const sizes: number[] = [];
  for (;;) {
    const batch = await source.take(1000, new AbortController().signal);
    if (batch === undefined) break;
    await answer(batch).catch(() => {
      sizes.push(batch.items.length);
      return batch.release();
    });
  }
  expect(sizes).toEqual([100, 32, 1, 1, 1]);
  expect(await source.deadLetters()).toMatchObject([
    { position: "77", input: '{"id":77}', tries: 5, reason: expect.stringContaining("23505") },
  ]);
  expect(await results()).toHaveLength(100);
  await pool.query("delete from decern_job_results where position = '77'");
  expect(await source.retryDead(["1"])).toBe(0);
  expect(await source.retryDead(["77"])).toBe(1);
  expect(await answerAll(source)).toEqual([1]);
  expect(await results()).toHaveLength(100);
  expect(await source.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
});
