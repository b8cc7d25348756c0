import { decisionLog } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { PostgresService } from "./postgres-service.js";

let server: PostgresServer;
let pool: pg.Pool;
let services: readonly PostgresService[];

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

/** Two processes that have written at once. */
beforeEach(async () => {
  pool = new pg.Pool(server.connection);
  await pool.query("drop schema public cascade; create schema public");
  services = await Promise.all([1, 2].map(() => PostgresService.start({ connection: server.connection })));
  for (const service of services) service.load(4);
  for (const service of services) {
    await expect.poll(() => service.seen.answered.length).toBeGreaterThan(300);
    await service.unload();
    await service.state("flush");
  }
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.end()));
  await pool.end();
});

const open = () => decisionLog({ store: postgres({ pool }) });

it("two processes write to one database, each a chain of its own", async () => {
  const { ok, chains, records } = await open().verify();
  expect(ok).toBe(true);
  const counts = services.map(({ seen }) => seen.answered.length);
  expect(chains.map((chain) => chain.records).sort()).toEqual([...counts].sort());
  expect(records).toBe((counts[0] ?? 0) + (counts[1] ?? 0));
});

it.each([
  [
    "a changed record",
    ["hash", "copy"],
    "update decern_records set record = replace(record, '\"OK\"', '\"ERROR\"')",
  ],
  [
    "a changed payload",
    ["payload"],
    `update decern_records set payload = replace(payload, '"amount":', '"amount":1')`,
  ],
  ["a deleted record", ["chain"], "delete from decern_records"],
])("verify finds %s", async (_what, kinds, change) => {
  await pool.query(`${change} where chain = 2 and position = 100`);
  const { ok, problems } = await open().verify();
  expect(ok).toBe(false);
  expect(problems.map((problem) => problem.kind)).toEqual(kinds);
  expect(problems[0]?.at).toMatch(
    kinds.includes("chain") ? /^chain 2, position 101,/ : /^chain 2, position 100,/,
  );
});

it("verify finds a deleted tail", async () => {
  await pool.query("delete from decern_records where chain = 1 and position > 290");
  const { problems } = await open().verify();
  expect(problems).toMatchObject([{ at: "chain 1", kind: "chain" }]);
});

it("verify finds records that were added, and a chain that nobody opened", async () => {
  const copy = (chain: string, position: string) =>
    `insert into decern_records select written_at, recorded_at, ${chain}, ${position}, gen_random_uuid(), request_id, caller,
      decision, version, status, rule, subject, record, payload from decern_records where chain = 1 and position = 1`;
  await pool.query(copy("2", "1000000"));
  expect((await open().verify()).ok).toBe(false);
  await pool.query("delete from decern_records where position = 1000000");
  expect((await open().verify()).ok).toBe(true);
  await pool.query(copy("99", "1"));
  expect((await open().verify()).problems).toContainEqual(expect.objectContaining({ at: "chain 99" }));
});
