import pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres-server.js";

/** The server of a test file, once {@link useDatabase} has started it. */
export let server: PostgresServer;
/** Its connections. */
export let pool: pg.Pool;

/**
 * Starts a server for a test file, and empties its database before each test.
 *
 * @param settings - of PostgreSQL
 * @param beforeEmptying - ends what would hold locks
 */
export function useDatabase(
  settings: Readonly<Record<string, string>> = {},
  beforeEmptying: () => Promise<void> = async () => {},
): void {
  beforeAll(async () => {
    server = await startPostgres(settings);
    pool = new pg.Pool(server.connection);
    // Each store of a test listens to it.
    pool.setMaxListeners(0);
  });
  afterAll(async () => {
    await pool.end();
    await server.remove();
  });
  beforeEach(async () => {
    await beforeEmptying();
    await pool.query(
      "drop schema if exists audit cascade; drop schema public cascade; create schema public; grant all on schema public to public",
    );
  });
}
