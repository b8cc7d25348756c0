import { hash } from "node:crypto";
import { canonicalJson } from "@decern/core/tools";
import { postgresChunks, postgresInbox } from "@decern/postgres/bulk";
import { openPool } from "../records/open-database.js";
import type { OpenSource, SourceUser, WorkerPlace } from "./worker-call.js";

type PostgresPlace = Exclude<WorkerPlace, { readonly kind: "nats" }>;

export async function openPostgres(place: PostgresPlace, user: SourceUser): Promise<OpenSource> {
  // One for each lane, one for the source itself, and one for what waits.
  const max = user.lanes + 2;
  const {
    pool,
    schema,
    place: server,
  } = await openPool(place.url, max, (where) => `cannot connect to the database at ${where}`);
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
    // What fails here would fail at every take.
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

function revisionOf({ id, version = "", profiles }: SourceUser) {
  return { id, version, profile: hash("sha256", canonicalJson(profiles) ?? "") };
}
