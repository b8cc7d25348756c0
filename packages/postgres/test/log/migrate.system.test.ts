import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { keptProfiles } from "../../../../test/support/sealed-records.js";
import { migrate, postgres } from "../../src/log.js";
import { pool, server, useDatabase } from "../database.js";
import { all, recordingLogger, seal } from "./records.js";

useDatabase();
const logger = recordingLogger();

/** Everything that the catalogue of the database knows of our tables. */
async function layout(schema: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select relname, relkind, pg_get_expr(relpartbound, oid) as bound, array(
        select attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 order by attnum
      ) as columns
      from pg_class where relnamespace = to_regnamespace($1) order by relname`,
    [schema],
  );
  return rows;
}

it("changes nothing where everything is there", async () => {
  await migrate(pool);
  const before = await layout("public");
  await migrate(pool);
  await postgres({ pool }).open({ logger });
  expect(before).not.toEqual([]);
  expect(await layout("public")).toEqual(before);
});

it("creates the schema that was asked for, whatever its name", async () => {
  const schema = 'Audit "log"';
  await migrate(pool, { schema });
  const store = postgres({ pool, schema });
  const writer = await store.open({ logger });
  await writer.write({ records: seal([{}]), kept: new Map() });
  expect(await all(store.find({}))).toHaveLength(1);
  expect(await layout("public")).toEqual([]);
  await pool.query('drop schema "Audit ""log""" cascade');
});

it("creates the months that were asked for, each right after the one before it", async () => {
  await migrate(pool, { monthsAhead: 14 });
  const { rows } = await pool.query(
    "select pg_get_expr(relpartbound, oid) as bound from pg_class where relname ~ '^decern_records_\\d{4}_\\d\\d$' order by relname",
  );
  const bounds = rows.map(({ bound }) => /FROM \('(.*)'\) TO \('(.*)'\)/.exec(bound) ?? []);
  expect(bounds).toHaveLength(15);
  for (const [index, [, , to]] of bounds.entries()) expect(bounds[index + 1]?.[1] ?? to).toBe(to);
  const now = new Date();
  expect(new Date(bounds[0]?.[1] ?? "").getTime()).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
});

it("gives tables of the first layout what later ones have, with the months that they have", async () => {
  await migrate(pool, { monthsAhead: 3 });
  const current = await layout("public");
  for (const column of ["rule", "version", "status"])
    await pool.query(`drop index decern_records_${column}_idx`);
  await pool.query("drop table decern_profiles");
  await pool.query('create table decern_profiles (hash text collate "C" primary key, profile text not null)');
  await pool.query("insert into decern_profiles values ('sha256:p', '{}')");
  await pool.query("delete from decern_layouts where version > 1");
  expect(await layout("public")).not.toEqual(current);
  await postgres({ pool }).open({ logger });
  expect(await layout("public")).toEqual(current);
});

it("may run in four pools at once, twenty times", async () => {
  for (let round = 0; round < 20; round++) {
    await pool.query("drop schema public cascade; create schema public");
    const pools = Array.from({ length: 4 }, () => new pg.Pool(server.connection));
    await Promise.all(pools.map((each) => migrate(each)));
    await Promise.all(pools.map((each) => each.end()));
    expect((await pool.query("select version from decern_layouts")).rows).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 3 },
    ]);
  }
});

it("may run in four processes at once, which then write", async () => {
  const script = fileURLToPath(new URL("./writing-process.mjs", import.meta.url));
  const children = Array.from({ length: 4 }, () => fork(script, { execArgv: [], serialization: "advanced" }));
  for (const child of children) {
    child.send({ connection: server.connection, records: seal(Array.from({ length: 25 }, () => ({}))) });
  }
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  const chains = await all(postgres({ pool }).chains());
  expect(chains).toHaveLength(4);
  for (const chain of chains) {
    const stored = await all(chain.records);
    expect(stored).toHaveLength(25);
    const hashes = stored.map(({ text }) => JSON.parse(text));
    expect(hashes.map(({ previousHash }) => previousHash)).toEqual([
      null,
      ...hashes.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(chain.head).toBe(hashes.at(-1)?.hash);
  }
});

it("refuses tables of a newer version", async () => {
  await migrate(pool);
  await pool.query("insert into decern_layouts (version) values (99)");
  await expect(migrate(pool)).rejects.toThrow("layout 99");
  await expect(postgres({ pool }).open({ logger })).rejects.toThrow("layout 99");
});

describe("a user who may not create anything", () => {
  it("writes, finds and erases once somebody else has migrated", async () => {
    await migrate(pool, { monthsAhead: 3 });
    await pool.query(`
      do $$ begin create role clerk login; exception when duplicate_object then null; end $$;
      revoke create on schema public from public;
      grant usage on schema public to clerk;
      grant select on decern_layouts to clerk;
      grant select, insert on decern_profiles to clerk;
      grant select, insert, update on decern_chains to clerk;
      grant select, insert on decern_records to clerk;
      grant update (payload) on decern_records to clerk;
      grant select, insert on decern_erasures to clerk`);
    const clerks = new pg.Pool({ ...server.connection, user: "clerk" });
    const store = postgres({ pool: clerks });
    const writer = await store.open({ logger });
    const records = seal([{ subject: "sha256:s" }, {}]);
    await writer.write({ records, kept: keptProfiles(["sha256:p", "{}"]) });
    expect(await all(store.find({}))).toHaveLength(2);
    expect(await store.profile("sha256:p")).toEqual({});
    expect(await store.erase(["sha256:s"])).toBe(1);
    expect(await store.stats()).toMatchObject({ records: 2, withoutPayload: 1 });
    await expect(clerks.query("update decern_records set record = ''")).rejects.toThrow("permission denied");
    await expect(clerks.query("delete from decern_records")).rejects.toThrow("permission denied");
    await clerks.end();
  });
});
