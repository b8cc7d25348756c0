import type { PostgresClient, PostgresPool } from "./pool.js";

/**
 * Runs `work` on a connection of its own, and returns the connection to the pool. One on which anything failed is closed: a
 * transaction or a lock may be open on it.
 */
async function withClient<Value>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Value>,
): Promise<Value> {
  const client = await takeClient(pool);
  let isBroken = true;
  try {
    const value = await work(client);
    isBroken = false;
    return value;
  } finally {
    giveBack(client, isBroken);
  }
}

/** Begins a transaction. What the database does by default may be another isolation, or to refuse every change. */
export const beginning = "begin isolation level read committed read write";

/** Runs `work` in a transaction. */
export function inTransaction<Value>(
  pool: PostgresPool,
  work: (client: PostgresClient) => Promise<Value>,
): Promise<Value> {
  return withClient(pool, async (client) => {
    await client.query(beginning);
    const value = await work(client);
    await client.query("commit");
    return value;
  });
}

/** Takes a connection out of the pool. */
export async function takeClient(pool: PostgresPool): Promise<PostgresClient> {
  const client = await pool.connect();
  client.on("error", ignore);
  return client;
}

export function giveBack(client: PostgresClient, isBroken: boolean): void {
  client.release(isBroken);
  client.off("error", ignore);
}

/**
 * A connection that breaks rejects its query, and emits an error as well. Without a listener, that would end the process. The
 * pool replaces the connection.
 */
export function ignore(): void {}
