import { execFileSync } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { postgres } from "../../src/log.js";
import { recordingLogger, seal } from "./records.js";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

it("leaves nothing in the files of the tables after VACUUM FULL, as the README says", async () => {
  const pool = new pg.Pool(server.connection);
  const store = postgres({ pool });
  const writer = await store.open({ logger: recordingLogger() });
  const name = "Ada Lovelace of Piccadilly";
  const facts = Array.from({ length: 50 }, () => ({
    subject: "sha256:ada",
    payload: { salt: "x", input: name },
  }));
  await writer.write({ records: seal(facts), kept: new Map() });
  const files = () =>
    execFileSync("bash", ["-c", `grep -rlF '${name}' '${join(server.folder, "data", "base")}' | wc -l`], {
      encoding: "utf8",
    }).trim();
  await pool.query("checkpoint");
  expect(files()).toBe("1");
  expect(await store.erase(["sha256:ada"])).toBe(50);
  await pool.query("vacuum full decern_records");
  await pool.query("checkpoint");
  expect(files()).toBe("0");
  await pool.end();
});
