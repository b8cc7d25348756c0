import type { RecordStore } from "@decern/decision-log";
import pg from "pg";
import { CommandError } from "../command-line/command.js";
import { sentenceOf } from "../text/text.js";

export interface OpenPool {
  readonly pool: pg.Pool;
  /** From the URL's parameter `schema`. */
  readonly schema: string | undefined;
  /** For people: host and database, without a password. */
  readonly place: string;
}

/**
 * Connects to PostgreSQL.
 *
 * @param problem - what to tell the user if that fails
 * @throws CommandError if the server cannot be reached, or rejects the user
 */
export async function openPool(url: URL, max: number, problem: (place: string) => string): Promise<OpenPool> {
  const schema = url.searchParams.get("schema") ?? undefined;
  const place = `${url.searchParams.get("host") ?? url.host}${url.pathname}`;
  const address = new URL(url);
  address.searchParams.delete("schema");
  const pool = new pg.Pool({ connectionString: address.href, max, application_name: "decern" });
  // An idle connection that breaks: the next query gets its own error.
  pool.on("error", () => {});
  try {
    await pool.query("select 1");
    return { pool, schema, place };
  } catch (cause) {
    await pool.end();
    // One error for each address of a host.
    const [first]: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
    throw new CommandError(`${problem(place)}: ${sentenceOf(first ?? cause)}`, { cause });
  }
}

export interface OpenDatabase {
  readonly store: RecordStore;
  end(): Promise<void>;
}

/** Opens records in PostgreSQL, to read them. @throws CommandError as `openPool` does */
export async function openDatabase(url: URL): Promise<OpenDatabase> {
  // Not for workers, which need the pool only.
  const { postgres } = await import("@decern/postgres/log");
  const { pool, schema } = await openPool(url, 4, (place) => `the database at ${place} cannot be read`);
  return { store: postgres({ pool, schema: schema ?? "public" }), end: () => pool.end() };
}
