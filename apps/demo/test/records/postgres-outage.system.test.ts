import { decisionLog } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { PostgresService } from "./postgres-service.js";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

beforeEach(async () => {
  const pool = new pg.Pool(server.connection);
  await pool.query("drop schema public cascade; create schema public");
  await pool.end();
});

/** Ids of all records, from a connection of their own, once the chains were found to be whole. */
async function recorded(): Promise<readonly string[]> {
  const pool = new pg.Pool(server.connection);
  const log = decisionLog({ store: postgres({ pool }) });
  expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
  const ids: string[] = [];
  for await (const { recordId } of log.find()) ids.push(recordId);
  await log.close();
  await pool.end();
  return ids;
}

const answers = (service: PostgresService, count: number) =>
  expect.poll(() => service.seen.answered.length).toBeGreaterThanOrEqual(count);

describe("PostgreSQL crashes under load and starts again", () => {
  it.each(["batch", "reply"] as const)(
    "refuse, durable: %s, in memory that does not grow",
    async (durable) => {
      const service = await PostgresService.start({ connection: server.connection, durable });
      service.load();
      await answers(service, 1000);
      for (let outage = 1; outage <= 3; outage++) {
        const { refused } = service.seen;
        await server.crash();
        await expect.poll(() => service.seen.refused).toBeGreaterThan(refused + 500);
        if (outage === 1) {
          const before = await service.state();
          await expect.poll(() => service.seen.refused).toBeGreaterThan(refused + 10_500);
          const after = await service.state();
          // Ten thousand records would take about ten megabytes.
          expect(after.bytesInUse - before.bytesInUse).toBeLessThan(4e6);
        }
        await server.start();
        // It recovers by itself.
        await answers(service, service.seen.answered.length + 1000);
      }
      await service.unload();
      const { counts, logged } = await service.state("flush");
      const ids = await recorded();
      expect(new Set(ids).size).toBe(ids.length);
      const present = new Set(ids);
      expect(service.seen.answered.filter((id) => !present.has(id))).toEqual([]);
      expect(counts).toMatchObject({ written: ids.length, lost: 0 });
      // Once for each outage, not for each record.
      const downs = logged.filter((line) => line.startsWith("error The decision log cannot be written"));
      expect(downs.length).toBeGreaterThanOrEqual(3);
      expect(downs.length).toBeLessThanOrEqual(6);
      await service.end();
    },
  );

  it("drop, which counts exactly what is missing, in memory that does not grow", async () => {
    const options = { onFull: "drop", maxPendingBytes: 200_000 };
    const service = await PostgresService.start({ connection: server.connection, ...options });
    service.load();
    await answers(service, 5000);
    await server.crash();
    await answers(service, service.seen.answered.length + 3000);
    const before = await service.state();
    await answers(service, service.seen.answered.length + 10_000);
    const after = await service.state();
    expect(after.counts.lost).toBeGreaterThan(9000);
    // Ten thousand records would take about ten megabytes.
    expect(after.bytesInUse - before.bytesInUse).toBeLessThan(4e6);
    await server.start();
    await expect
      .poll(async () => (await service.state()).counts.written)
      .toBeGreaterThan(after.counts.written + 1000);
    await service.unload();
    const { counts } = await service.state("flush");
    expect(service.seen.refused).toBe(0);
    const ids = await recorded();
    const known = new Set(service.seen.answered);
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(counts.lost).toBe(service.seen.answered.length - ids.length);
    expect(counts.written).toBe(ids.length);
    await expect
      .poll(async () => (await service.state()).logged.at(-1))
      .toContain(JSON.stringify({ lost: counts.lost }));
    await service.end();
  });
});
