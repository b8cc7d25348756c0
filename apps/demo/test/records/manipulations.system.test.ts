import { decisionLog } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { auditTable, headsOf, outcomeOf } from "../../../../test/support/audit-table.js";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { Sealer, testProfiles } from "../../../../test/support/sealed-records.js";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  // One connection: a check needs no more, however many records there are.
  pool = new pg.Pool({ ...server.connection, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

const texts = ["plain", "a\0b", "x\ny", "\\N", "long ".repeat(2000)];
const instants = ["-271821-04-20", "1969-12-31T23:59:59.999Z", "2026-03-02T00:00:00.123Z", "+275760-09-13"];

/** 600 records in one chain, of which one person's were erased. */
async function written() {
  await pool.query("drop schema public cascade; create schema public");
  const store = postgres({ pool });
  const logger = { error: () => {}, warn: () => {}, info: () => {} };
  const writer = await store.open({ logger });
  const sealer = new Sealer(writer.head);
  const records = Array.from({ length: 600 }, (_, index) => {
    const text = texts[index % texts.length] ?? "";
    const recordedAtMs = Date.parse(instants[index % instants.length] ?? "");
    const facts = { requestId: text, caller: text, decision: { id: text, version: text }, matchedRule: text };
    const subject = `sha256:${index % 7}`;
    const sealed = { recordedAtMs, ...facts, subject };
    return sealer.seal(index % 2 === 0 ? sealed : { recordedAtMs, decision: facts.decision }).sealed;
  });
  await writer.write({ records, kept: testProfiles });
  await store.erase(["sha256:2"]);
  onTestFinished(() => store.close());
  return decisionLog({ store, logger });
}

const records = "update decern_records set";

const manipulations: readonly (readonly [what: string, statement: string])[] = [
  ...["caller", "decision", "version", "status", "rule", "subject", "request_id"].map(
    (column) =>
      [
        "changes a column of PostgreSQL that searches use",
        `${records} ${column} = 'other' where position = 1`,
      ] as const,
  ),
  ["changes a column of PostgreSQL that searches use", `${records} caller = null where position = 1`],
  ["changes a column of PostgreSQL that searches use", `${records} rule = 'none' where position = 2`],
  [
    "changes a column of PostgreSQL that searches use",
    `${records} recorded_at = recorded_at + interval '1 ms' where position = 3`,
  ],
  [
    "changes a column of PostgreSQL that searches use",
    `${records} record_id = '01920f6e-7f3a-7c44-9d0e-3c1f6a2b9e55' where position = 1`,
  ],
  ["changes, removes, inserts, copies or moves a record", "delete from decern_records where position = 300"],
  ["changes or removes a profile of the host", "delete from decern_profiles"],
  ["changes or removes a profile of the host", "update decern_profiles set profile = '{}'"],
  [
    "removes payloads without an erasure, or changes or removes an erasure",
    `${records} payload = null where position = 600`,
  ],
  ["removes payloads without an erasure, or changes or removes an erasure", "delete from decern_erasures"],
  [
    "removes payloads without an erasure, or changes or removes an erasure",
    "update decern_erasures set erasure = replace(erasure, '\"records\":', '\"records\":9')",
  ],
];

it.each(manipulations)("%s: %s", async (what, statement) => {
  const log = await written();
  const before = await log.verify();
  expect(before).toMatchObject({ ok: true, records: 600, erasures: [{ records: 1 }], problems: [] });
  const { rowCount } = await pool.query(statement);
  expect(rowCount).toBeGreaterThan(0);
  const outcomes = [await log.verify(), await log.verify({ heads: headsOf(before) })].map(outcomeOf);
  expect(outcomes).toEqual(auditTable().get(what));
});

it("a profile that is missing is named once, however many records need it", async () => {
  const log = await written();
  await pool.query("delete from decern_profiles");
  expect((await log.verify()).problems).toMatchObject([{ kind: "profile" }]);
});
