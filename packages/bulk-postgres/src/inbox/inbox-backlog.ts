import type { BulkBacklog } from "@decern/core";
import type { Names } from "../names.js";
import type { PostgresPool } from "../pool.js";
import { numberOf } from "../row.js";

/** Most rows that are counted one by one: some ten milliseconds. */
const mostCounted = 100_000;

/** Counting millions every few seconds would cost more than answering them; above the limit, the span of ids is the answer. */
export async function inboxBacklog(
  pool: PostgresPool,
  { inbox, inboxDead }: Names,
  name: string,
): Promise<BulkBacklog> {
  const { rows } = await pool.query(
    `select counted.n::text as counted, coalesce(last.id - first.id + 1, 0)::text as span,
        coalesce(extract(epoch from now() - first.added_at), 0)::text as seconds,
        (select count(*) from ${inboxDead} where inbox = $1)::text as dead
      from (select count(*) as n from (select 1 from ${inbox} where inbox = $1 limit ${mostCounted + 1}) as some) as counted
      left join (select id, added_at from ${inbox} where inbox = $1 order by id limit 1) as first on true
      left join (select id from ${inbox} where inbox = $1 order by id desc limit 1) as last on true`,
    [name],
  );
  const [row] = rows;
  const counted = numberOf(row, "counted");
  return {
    items: counted > mostCounted ? Math.max(counted, numberOf(row, "span")) : counted,
    dead: numberOf(row, "dead"),
    oldestSeconds: Math.max(0, numberOf(row, "seconds")),
  };
}
