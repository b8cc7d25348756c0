import type { StoreStats } from "@decern/core";
import type { Names } from "../names.js";
import type { PostgresPool } from "../pool.js";
import { numberOf, textOf } from "../row.js";

/** Counts what is stored, from the chains and from indexes: it does not read the records. */
export async function stats(pool: PostgresPool, { chains, profiles, records }: Names): Promise<StoreStats> {
  const { rows } = await pool.query(
    `select
      (select coalesce(sum(records - dropped), 0) from ${chains})::text as records,
      (select count(*) from ${records} where payload is null)::text as without_payload,
      (select extract(epoch from min(recorded_at)) * 1000 from ${records})::text as oldest,
      (select extract(epoch from max(recorded_at)) * 1000 from ${records})::text as newest,
      (select coalesce(sum(pg_total_relation_size(relid)), 0) from pg_partition_tree($1::text::regclass))::text as record_bytes,
      pg_total_relation_size($2::text::regclass)::text as profile_bytes`,
    [records, profiles],
  );
  const [row] = rows;
  return {
    records: numberOf(row, "records"),
    oldest: dateOf(textOf(row, "oldest")),
    newest: dateOf(textOf(row, "newest")),
    bytes: numberOf(row, "record_bytes") + numberOf(row, "profile_bytes"),
    withoutPayload: numberOf(row, "without_payload"),
  };
}

function dateOf(ms: string | null): Date | undefined {
  return ms === null ? undefined : new Date(Math.round(Number(ms)));
}
