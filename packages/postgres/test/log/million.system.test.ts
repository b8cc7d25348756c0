import type { StoredQuery } from "@decern/decision-log";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { namesIn } from "../../src/client/layout.js";
import { statementsFor } from "../../src/log/find.js";
import { monthOf } from "../../src/log/months.js";
import { postgres } from "../../src/log.js";
import { recordingLogger } from "./records.js";

const count = 1_000_000;
const months = 12;
const now = new Date();
const start = monthOf(now, 1 - months).start;

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ fsync: "off", max_wal_size: "8GB", jit: "off" });
  pool = new pg.Pool(server.connection);
  const store = postgres({ pool });
  await store.open({ logger: recordingLogger() });
  for (let ago = 1; ago < months; ago++) {
    const month = monthOf(now, -ago);
    await pool.query(
      `create table ${month.table} partition of decern_records
        for values from ('${month.start.toISOString()}') to ('${month.end.toISOString()}')`,
    );
  }
  // As many in each month, a thousand callers, ten decisions; one record in ten names one of ten thousand people.
  await pool.query(
    `insert into decern_records
      select at, at, 1, n, ${uuidAt("at", "n")}, 'request-' || n, 'caller-' || n % 1000, 'decision-' || n % 10, '1.0.0',
        'OK', 'rule-' || n % 7, case when n % 10 = 0 then 'sha256:' || n / 10 % 10000 end,
        '{"decision":{"id":"d","version":"1"},"durationSeconds":0,"hash":"","masked":[],"payload":null,"payloadHash":"","previousHash":null,'
          || '"profileHash":"","recordId":"","recordVersion":1,"recordedAt":"2026-03-01","requestId":"request-' || n
          || '","sampleRate":1,"selectedBy":"default","status":"OK"}',
        '{"input":{"amount":' || n || ',"text":"' || repeat('x', 200) || '"}}'
      from generate_series(1, ${count}) as n,
        lateral (select $1::timestamptz + n * ($2::timestamptz - $1::timestamptz) / ${count}) as times(at)`,
    [start, now],
  );
  await pool.query("vacuum analyze decern_records");
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

/** The id of a record in SQL: a UUID of version 7 with its time and number. */
function uuidAt(at: string, n: string): string {
  const hex = `lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`;
  return `(${hex} || '70008000' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  /** Of every table that was read. */
  readonly scans: readonly Plan[];
  /** Pages of 8 kB. */
  readonly pages: number;
  readonly rows: number;
}

/** What PostgreSQL did for the first statement of a query. */
async function explain(query: StoredQuery): Promise<Explained> {
  const [statement] = statementsFor(namesIn("public"), query);
  if (statement === undefined) throw new Error("no statement");
  const { rows } = await pool.query(
    `explain (analyze, buffers, format json) ${statement.text}`,
    statement.values,
  );
  const plan: Plan = rows[0]["QUERY PLAN"][0].Plan;
  const nodes = (node: Plan): readonly Plan[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return {
    // A table that holds nothing is read as it is.
    scans: nodes(plan).filter(
      (node) => /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(node["Node Type"]) && pagesOf(node) > 0,
    ),
    pages: pagesOf(plan),
    rows: plan["Actual Rows"],
  };
}

function pagesOf(node: Plan): number {
  return node["Shared Hit Blocks"] + node["Shared Read Blocks"];
}

/** Pages of the whole table, for comparison. */
const pagesOfAll = async (): Promise<number> => {
  const { rows } = await pool.query(
    "select sum(pg_relation_size(relid)) / 8192 as pages from pg_partition_tree('decern_records')",
  );
  return Number(rows[0]?.pages);
};

const one = 777_777;
const instant = new Date(start.getTime() + (one * (now.getTime() - start.getTime())) / count);
const dayLater = new Date(instant.getTime() + 86_400_000);

describe("find reads an index at a million records", () => {
  it("by the id of a record: a month or two", async () => {
    const { rows } = await pool.query("select record_id from decern_records where position = $1", [one]);
    const { scans, pages, rows: found } = await explain({ recordId: rows[0]?.record_id });
    expect(found).toBe(1);
    expect(scans.length).toBeLessThanOrEqual(2);
    for (const scan of scans) expect(scan["Index Name"]).toMatch(/_pkey$/);
    expect(pages).toBeLessThan(20);
  });

  it.each<[string, StoredQuery, RegExp, number]>([
    ["id of a request, in every month", { requestId: `request-${one}` }, /request_id/, 60],
    ["person", { subjects: ["sha256:4242"] }, /subject/, 100],
    ["caller and time", { caller: "caller-77", from: instant, to: dayLater }, /caller/, 150],
    [
      "decision and time, newest first",
      { decision: "decision-7", from: instant, newestFirst: true, limit: 50 },
      /decision|recorded_at/,
      700,
    ],
    ["time, newest first", { newestFirst: true, limit: 50 }, /recorded_at/, 60],
  ])("by %s", async (_what, query, index, mostPages) => {
    const { scans, pages, rows } = await explain(query);
    expect(rows).toBeGreaterThan(0);
    for (const scan of scans) {
      // Where a month has nothing of that time, its index by time says so.
      const expected = scan["Actual Rows"] === 0 ? /_idx$/ : index;
      expect(scan["Index Name"], JSON.stringify(scan)).toMatch(expected);
    }
    expect(pages).toBeLessThan(mostPages);
    expect(await pagesOfAll()).toBeGreaterThan(40_000);
  });

  it.each<[string, StoredQuery]>([
    ["rule", { rule: "no-such-rule" }],
    ["version", { version: "9.9.9" }],
    ["status", { status: "ERROR" }],
    ["rule, newest first", { rule: "no-such-rule", newestFirst: true, limit: 50 }],
    ["status, newest first", { status: "ERROR", newestFirst: true, limit: 50 }],
  ])("by a %s that no record has: no record", async (_what, query) => {
    const { scans, pages, rows } = await explain(query);
    expect(rows).toBe(0);
    expect(scans.map((scan) => scan["Actual Rows"]).filter((read) => read > 0)).toEqual([]);
    expect(pages).toBeLessThan(100);
  });

  it("by a caller of many records: their pages, not all", async () => {
    const { scans, rows } = await explain({ caller: "caller-77" });
    expect(rows).toBe(count / 1000);
    const read = scans.reduce((sum, scan) => sum + scan["Actual Rows"] * scan["Actual Loops"], 0);
    expect(read).toBeLessThan(3 * rows);
  });
});

it("streams a million records without holding them", async () => {
  const heaps: number[] = [];
  let seen = 0;
  for await (const record of postgres({ pool }).find({})) {
    seen++;
    if (record.payload === null) throw new Error(`${record.recordId} has no payload`);
    if (seen % 100_000 !== 0) continue;
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed);
  }
  expect(seen).toBe(count);
  expect(heaps).toHaveLength(10);
  // All of them would be hundreds of megabytes.
  expect(Math.max(...heaps.slice(1)) - (heaps[0] ?? 0)).toBeLessThan(20e6);
});

it("finds each record by its request", async () => {
  const store = postgres({ pool });
  const times: number[] = [];
  for (let n = 1; n <= 200; n++) {
    const requestId = `request-${(n * 4999) % count}`;
    const before = performance.now();
    for await (const record of store.find({ requestId })) expect(record.requestId).toBe(requestId);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  console.info(
    `find by request id: median ${times[100]?.toFixed(2)} ms, slowest ${times.at(-1)?.toFixed(2)} ms`,
  );
});
