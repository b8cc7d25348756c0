import { postgresInbox } from "@decern/postgres/bulk";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { PostgresWorkers } from "./postgres-workers.js";

/** `BULK_POSTGRES=full` has the row counts, kills and stops of the specification. */
const isFull = process.env["BULK_POSTGRES"] === "full";
const { rows, inputs, kills, stops, batchesBetween, maxItems } = isFull
  ? { rows: 500_000, inputs: 300_000, kills: 8, stops: 3, batchesBetween: 20, maxItems: 1000 }
  : { rows: 12_000, inputs: 8000, kills: 3, stops: 1, batchesBetween: 10, maxItems: 100 };

const poison = 666_666_666;

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  // A process that is killed leaves what it wrote to the operating system, synced or not.
  server = await startPostgres(isFull ? {} : { fsync: "off" });
  pool = new pg.Pool(server.connection);
  pool.on("error", () => {});
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

let workers: PostgresWorkers | undefined;
beforeEach(async () => {
  await pool.query("drop schema public cascade; create schema public");
});
afterEach(async () => {
  workers?.abandon();
  await workers?.ended();
});

/** What the decision of the workers says, in another language. */
const expected = `case
  when n % 2 = 0 then format('{"status":"OK","data":{"price":%s,"lot":"%s"},"matchedRule":"even"}', n * 3 + 1, position)
  when n % 3 = 0 then format('{"status":"OK","data":{"price":%s,"lot":"%s"},"matchedRule":"third"}', n * 7, position)
  else '{"status":"NO_MATCH"}' end`;

/** @param answers - a query with the number and position of each input, and `result` from an outer join */
async function wrongAnswers(answers: string): Promise<object> {
  const { rows: found } = await pool.query(
    `select count(*)::int as answers, count(*) filter (where result is distinct from ${expected})::int as wrong from (${answers}) as answers`,
  );
  return found[0];
}

const chunkAnswers =
  "select n, id::text as position, result from loans full join decern_job_results on job = 'all' and position = id::text";
const inboxAnswers =
  "select reference::bigint as n, id::text as position, result from decern_inbox_results where inbox = 'loans'";

async function createLoans(count: number): Promise<void> {
  await pool.query("create table loans (id bigint primary key, n bigint not null, note text)");
  await pool.query(
    `insert into loans select i * 10, i, repeat('x', 100) from generate_series(1, ${count}) as i`,
  );
}

async function fillInbox(count: number): Promise<void> {
  await postgresInbox({ pool, name: "loans" }).prepare();
  await pool.query(
    `insert into decern_inbox (inbox, input, reference) select 'loans', json_build_object('n', i), i from generate_series(1, ${count}) as i`,
  );
}

// Chunks enough for every lane.
const jobOptions = { job: "all", table: "loans", key: "id", chunkItems: 1000 };
const inboxOptions = { name: "loans", endWhenEmpty: true };

/** Kills workers and stops the database at random moments of the work. */
async function disturb(running: PostgresWorkers, killing: number, stopping: number): Promise<void> {
  const kinds = [
    ...Array.from({ length: killing }, () => "kill"),
    ...Array.from({ length: stopping }, () => "stop"),
  ].sort(() => Math.random() - 0.5);
  for (const kind of kinds) {
    await running.batches(1 + Math.floor(Math.random() * batchesBetween));
    if (kind === "kill") await running.killOne();
    else {
      await server.crash();
      await server.start();
    }
  }
}

it.each([
  ["the rows of a table", "chunks"],
  ["an inbox", "inbox"],
] as const)("answers %s exactly once, with workers killed and the database stopped", async (_, kind) => {
  const isInbox = kind === "inbox";
  await (isInbox ? fillInbox(inputs) : createLoans(rows));
  const source = isInbox ? { inbox: inboxOptions } : { chunks: jobOptions };
  workers = new PostgresWorkers(2, { connection: server.connection, maxItems, ...source });
  await disturb(workers, kills, stops);
  await workers.ended();
  expect(workers.killed).toBe(kills);
  expect(await wrongAnswers(isInbox ? inboxAnswers : chunkAnswers)).toEqual({
    answers: isInbox ? inputs : rows,
    wrong: 0,
  });
  const options = { pool, ...(isInbox ? inboxOptions : {}) };
  const inbox = postgresInbox({ name: "loans", ...options });
  expect(await inbox.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
});

it("shows answers that are there twice where results and progress are two transactions", async () => {
  await createLoans(2000);
  await pool.query("create table separate_results (position text, status text, result text)");
  await pool.query("create table deaths (pid int)");
  const options = {
    connection: server.connection,
    chunks: { ...jobOptions, chunkItems: 100 },
    isBroken: true,
    maxItems: 50,
  };
  workers = new PostgresWorkers(2, options);
  await workers.ended();
  expect(workers.killed).toBeGreaterThan(0);
  const { rows: found } = await pool.query(
    "select count(*) > count(distinct position) as twice from separate_results",
  );
  expect(found).toEqual([{ twice: true }]);
});

it.each(["chunks", "inbox"] as const)(
  "buries an input that kills its worker, and answers all others: %s",
  async (kind) => {
    const isInbox = kind === "inbox";
    await (isInbox ? fillInbox(3000) : createLoans(3000));
    if (isInbox) await pool.query(`update decern_inbox set input = '{"n":${poison}}' where id = 1234`);
    else await pool.query(`update loans set n = ${poison} where id = 12340`);
    const source = isInbox ? { inbox: inboxOptions } : { chunks: jobOptions };
    workers = new PostgresWorkers(2, { connection: server.connection, maxItems, ...source });
    await workers.ended();
    expect(workers.killed).toBe(5);
    const { rows: dead } = await pool.query(
      `select ${isInbox ? "id::text as position" : "position"}, input::json ->> 'n' as n, tries from ${isInbox ? "decern_inbox_dead" : "decern_job_dead"}`,
    );
    expect(dead).toEqual([{ position: isInbox ? "1234" : "12340", n: String(poison), tries: 5 }]);
    const left = isInbox ? inboxAnswers : `${chunkAnswers} where n <> ${poison}`;
    expect(await wrongAnswers(left)).toEqual({ answers: 2999, wrong: 0 });
  },
);
