import type { Names } from "../names.js";
import type { PostgresClient } from "../pool.js";

/** Lets one process at a time change tables, until the end of the transaction. */
export async function lockLayout(client: PostgresClient, names: Names): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `decern bulk layout ${names.schemaName}`,
  ]);
}
