import { createHash } from "node:crypto";
import { canonicalJson } from "@decern/core/tools";
import { postgresChunks, postgresInbox } from "@decern/postgres/bulk";
import pg from "pg";
import { CommandError } from "../command-line/command.js";
import { sentenceOf } from "../text/text.js";
import type { OpenSource, SourceUser, WorkerPlace } from "./worker-call.js";

type PostgresPlace = Exclude<WorkerPlace, { readonly kind: "nats" }>;

/** An inbox, or a job over a table. */
export async function openPostgres(place: PostgresPlace, user: SourceUser): Promise<OpenSource> {
  const { url } = place;
  const schema = url.searchParams.get("schema") ?? undefined;
  const address = new URL(url);
  address.searchParams.delete("schema");
  // One for each lane, one for the source itself, and one for what waits.
  const max = user.lanes + 2;
  const pool = new pg.Pool({ connectionString: address.href, max, application_name: "decern" });
  // A connection that breaks while nothing is asked of it; the next question gets an error of its own.
  pool.on("error", () => {});
  const server = `${url.searchParams.get("host") ?? url.host}${url.pathname}`;
  try {
    await pool.query("select 1");
  } catch (cause) {
    await pool.end();
    throw new CommandError(`cannot connect to the database at ${server}: ${reasonOf(cause)}`, { cause });
  }
  const source =
    place.kind === "inbox"
      ? postgresInbox({ pool, schema, name: place.name })
      : postgresChunks({
          pool,
          schema,
          job: place.job,
          table: place.table,
          key: place.key,
          revision: revisionOf(user),
        });
  try {
    // What is refused here would be refused at every take.
    await source.prepare();
  } catch (thrown) {
    await pool.end();
    throw thrown;
  }
  return {
    source,
    name: place.kind === "inbox" ? `inbox ${place.name} of ${server}` : `table ${place.table} of ${server}`,
    // The pool connects again.
    lost: new Promise(() => {}),
    end: () => pool.end(),
  };
}

function revisionOf({ decision: { id, version }, profiles }: SourceUser) {
  return {
    id,
    version,
    profile: createHash("sha256")
      .update(canonicalJson(profiles) ?? "")
      .digest("hex"),
  };
}

function reasonOf(error: unknown): string {
  // One error for each address of a host.
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return sentenceOf(first ?? error);
}
