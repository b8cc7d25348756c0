import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { recordStoreSuite } from "../../../../test/suites/record-store-suite.js";
import { type PostgresServer, startPostgres } from "../../../../test/support/postgres-server.js";
import { postgres } from "../../src/log.js";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

recordStoreSuite("postgres", async () => {
  const pool = new pg.Pool(server.connection);
  await pool.query("drop schema public cascade; create schema public");
  return {
    store: postgres({ pool }),
    another: () => postgres({ pool }),
    readAll: async () => {
      const { rows } = await pool.query(
        "select coalesce(string_agg(t::text, '\n'), '') as text from decern_records t",
      );
      return rows[0]?.text;
    },
    replaceText: async (recordId, from, to) => {
      await pool.query(
        "update decern_records set record = replace(record, $2, $3), payload = replace(payload, $2, $3) where record_id = $1",
        [recordId, from, to],
      );
    },
    removeRecord: async (recordId) => {
      await pool.query("delete from decern_records where record_id = $1", [recordId]);
    },
    dispose: () => pool.end(),
  };
});
