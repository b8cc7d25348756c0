import type { RecordStore } from "@decern/decision-log";
import { postgres } from "@decern/postgres/log";
import pg from "pg";
import { CommandError } from "../command-line/command.js";

export interface OpenDatabase {
  readonly store: RecordStore;
  end(): Promise<void>;
}

/**
 * Opens records in PostgreSQL, to read them.
 *
 * @param url - the parameter `schema` names the schema of the tables
 * @throws CommandError when the database rejects the connection
 */
export async function openDatabase(url: URL): Promise<OpenDatabase> {
  const schema = url.searchParams.get("schema") ?? "public";
  const address = new URL(url);
  address.searchParams.delete("schema");
  const pool = new pg.Pool({ connectionString: address.href, max: 4, application_name: "decern" });
  // An idle connection that breaks: the next query gets its own error.
  pool.on("error", () => {});
  try {
    await pool.query("select 1");
    return { store: postgres({ pool, schema }), end: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw new CommandError(`the database at ${placeOf(url)} cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Without the password. */
function placeOf(url: URL): string {
  return `${url.searchParams.get("host") ?? url.host}${url.pathname}`;
}

function reasonOf(error: unknown): string {
  // One error for each address of a host.
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = first ?? error;
  return cause instanceof Error ? cause.message : String(cause);
}
