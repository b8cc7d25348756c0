import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluator } from "@decern/core";
import { decisionLog } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import { readTable } from "@decern/table";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { fee } from "../support/contracts.mjs";
import { decernProcess } from "../support/decern.js";
import { contracts, feeTable } from "../support/fee-tables.js";
import { jsonLines, moduleFile, recordLoans, subjectKey, temporaryFolder } from "./support.js";

const feeRows = ["light;home;<= 2;4.5;post;", "heavy;home;> 2;7;post;", "abroad;abroad;-;20;air;"];
const amounts = [50, 200, 5000, 5001];

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  const { host, user, database } = server.connection;
  url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&schema=decern+log`;
});
afterAll(() => server.remove());

beforeEach(async () => {
  const pool = new pg.Pool(server.connection);
  await pool.query('drop schema if exists "decern log" cascade');
  await recordLoans(postgres({ pool, schema: "decern log" }), amounts);
  await pool.end();
});

it("finds, with the profiles that records need", async () => {
  const { code, stdout, stderr } = await decernProcess(["log", "find", url, "--with-profiles"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [profile, ...records] = jsonLines(stdout);
  expect(profile).toMatchObject({ profile: { small: 100 } });
  expect(records.map((record) => record["requestId"])).toEqual(amounts.map((amount) => `request-${amount}`));
  // What was copied is what was written, to the byte: its hashes hold.
  const copy = join(temporaryFolder(), "copy.ndjson");
  writeFileSync(copy, stdout);
  expect((await decernProcess(["log", "verify", copy])).code).toBe(0);
  const newest = await decernProcess(["log", "find", url, "--newest-first", "--limit", "1"]);
  expect(jsonLines(newest.stdout).at(-1)).toEqual(records.at(-1));
});

it("finds and erases a person", async () => {
  const env = { DECERN_SUBJECT_KEY: subjectKey };
  const find = ["log", "find", url, "--subject", "C-200"];
  expect(jsonLines((await decernProcess(find, { env })).stdout).at(-1)).toMatchObject({
    requestId: "request-200",
  });
  const erased = await decernProcess(["log", "erase", url, "--subject", "C-200"], { env });
  expect(erased).toEqual({ code: 0, stdout: "Erased the payload of 1 record\n", stderr: "" });
  expect(jsonLines((await decernProcess(find, { env })).stdout)).toMatchObject([{ payload: null }]);
  const stats = await decernProcess(["log", "stats", url, "--format", "json"]);
  expect(JSON.parse(stats.stdout)).toMatchObject({ records: 4, withoutPayload: 1 });
  expect((await decernProcess(["log", "verify", url])).code).toBe(0);
});

it("verifies, and names the record that was changed", async () => {
  const [record] = jsonLines((await decernProcess(["log", "find", url])).stdout);
  const pool = new pg.Pool(server.connection);
  await pool.query(
    `update "decern log".decern_records set record = replace(record, '"OK"', '"ERROR"') where position = 1`,
  );
  await pool.end();
  const { code, stdout } = await decernProcess(["log", "verify", url]);
  expect(code).toBe(2);
  expect(stdout).toContain(`${record?.["recordId"]}, at chain 1, position 1`);
});

it("shows a record", async () => {
  const { code, stdout } = await decernProcess(["log", "show", url, "request-5000", "--format", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ record: { matchedRule: "large" }, profile: { small: 100 } }]);
});

it.each([
  ["same", 0, 0],
  ["changed", 2, 1],
])("replays against the module %s: %d, %d changed", async (module, expected, changed) => {
  const { code, stdout, stderr } = await decernProcess([
    ...["replay", url, "--against", moduleFile(module), "--format", "json"],
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ records: 4, counts: { changed } });
  expect(code).toBe(expected);
  expect(stderr).toBe(code === 0 ? "" : "decern: 25% of results changed or failed; --allow permits 0%\n");
});

it("counts the rows of a table that records of the last 90 days met", async () => {
  const table = readTable(fee, { name: "fee.csv", bytes: Buffer.from(feeTable(feeRows)) });
  const pool = new pg.Pool(server.connection);
  const log = decisionLog({ store: postgres({ pool, schema: "decern log" }) });
  for (const [daysAgo, input] of [
    [100, { zone: "abroad", weightKg: 1 }],
    [80, { zone: "home", weightKg: 3 }],
    [1, { zone: "home", weightKg: 1 }],
    [1, { zone: "home", weightKg: 2 }],
  ] as const) {
    const now = Date.now() - daysAgo * 86_400_000;
    const clock = { now: () => now, monotonic: () => performance.now() };
    await createEvaluator({ log, clock }).evaluate(table, { input });
  }
  await log.close();
  await pool.end();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "fee.csv"), feeTable(feeRows));
  const coverage = ["table", "coverage", "fee.csv", "--contract", contracts, "--log", url, "--json"];
  const hits = async (since: string) => {
    const { code, stdout, stderr } = await decernProcess([...coverage, "--since", since], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { evaluations, rows }: { evaluations: number; rows: readonly { rule: string; hits: number }[] } =
      JSON.parse(stdout);
    return { evaluations, ...Object.fromEntries(rows.map((row) => [row.rule, row.hits])) };
  };
  expect(await hits("90d")).toEqual({ evaluations: 3, light: 2, heavy: 1, abroad: 0 });
  expect(await hits("101d")).toEqual({ evaluations: 4, light: 2, heavy: 1, abroad: 1 });
});

it("a database without records, or that lets nobody in, is one sentence and exit code 1", async () => {
  const without = url.replace("decern+log", "elsewhere");
  const nothing = await decernProcess(["log", "verify", without]);
  expect(nothing).toEqual({ code: 1, stdout: "", stderr: "decern: found no record to verify\n" });
  const missing = await decernProcess(["log", "stats", url.replace("/postgres?", "/missing?")]);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toMatch(
    /^decern: the database at \S+\/missing cannot be read: database "missing" does not exist\n$/,
  );
});

it("never shows a password", async () => {
  const ended = await decernProcess(["log", "stats", "postgres://reader:secret-word@127.0.0.1:1/none"]);
  expect(ended.code).toBe(1);
  expect(JSON.stringify(ended)).not.toContain("secret-word");
});
