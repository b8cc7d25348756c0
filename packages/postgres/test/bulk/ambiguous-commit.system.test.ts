import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import type { BulkSource } from "@decern/bulk";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { postgresChunks, postgresInbox } from "../../src/bulk.js";
import { pool, server, useDatabase } from "../database.js";
import { answer, march } from "./support.js";

type Cut = "before COMMIT arrives" | "after COMMIT was carried out";

useDatabase({ fsync: "off" });

let throughProxy: pg.Pool;
let proxy: Server;
/** Where the next connections that commit are cut. */
let cuts: Cut[] = [];

beforeAll(async () => {
  proxy = createServer((client) => {
    const behind = connect(join(server.folder, ".s.PGSQL.5432"));
    let cut: Cut | undefined;
    client.on("data", (sent: Buffer) => {
      if (sent.toString("latin1").endsWith("commit\0")) cut = cuts.shift();
      if (cut === "before COMMIT arrives") client.destroy();
      else behind.write(sent);
    });
    behind.on("data", (received: Buffer) => {
      if (cut === undefined) client.write(received);
      // What arrives says that it was carried out.
      else client.destroy();
    });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address: AddressInfo | string | null = proxy.address();
  const port = typeof address === "object" ? address?.port : undefined;
  throughProxy = new pg.Pool({ ...server.connection, host: "127.0.0.1", port });
});
afterAll(async () => {
  await throughProxy.end();
  proxy.close();
});
beforeEach(() => {
  cuts = [];
});

/** Works as `runWorker` does: releases after a commit that failed, and tries again. @returns how many commits failed */
async function work(source: BulkSource): Promise<number> {
  let failures = 0;
  for (;;) {
    const batch = await source.take(10, new AbortController().signal);
    if (batch === undefined) return failures;
    if (batch.items.length === 0) continue;
    await answer(batch).catch(async () => {
      failures += 1;
      await batch.release();
    });
  }
}

const cutsOfWork: readonly Cut[] = [
  "after COMMIT was carried out",
  "before COMMIT arrives",
  "after COMMIT was carried out",
  "before COMMIT arrives",
];

it("stores inputs of an inbox once where the connection breaks around COMMIT", async () => {
  const source = postgresInbox({ pool: throughProxy, name: "loans", endWhenEmpty: true });
  await source.add(Array.from({ length: 50 }, (_, n) => n));
  cuts = [...cutsOfWork];
  expect(await work(source)).toBe(4);
  const { rows } = await pool.query(
    "select count(*)::int as n, sum(result::int)::int from decern_inbox_results",
  );
  expect(rows).toEqual([{ n: 50, sum: 1225 }]);
  expect(await source.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
});

it("stores rows of a table once where the connection breaks around COMMIT", async () => {
  await pool.query("create table loans (id int primary key)");
  await pool.query("insert into loans select generate_series(1, 50)");
  const source = postgresChunks({ ...march, pool: throughProxy });
  await source.prepare();
  cuts = [...cutsOfWork];
  expect(await work(source)).toBe(4);
  const { rows } = await pool.query(
    "select count(*)::int as n, sum(position::int)::int from decern_job_results",
  );
  expect(rows).toEqual([{ n: 50, sum: 1275 }]);
  expect(await source.backlog()).toEqual({ items: 0, dead: 0, oldestSeconds: 0 });
});
