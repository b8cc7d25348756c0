import type { BulkBacklog } from "@decern/core";
import type { Names } from "../names.js";
import type { PostgresPool } from "../pool.js";
import { numberOf } from "../row.js";

/** Reads the chunks that are not done, and no row of the table. */
export async function jobBacklog(
  pool: PostgresPool,
  { jobs, chunks, jobDead }: Names,
  job: string,
): Promise<BulkBacklog> {
  const { rows } = await pool.query(
    `select coalesce(sum(greatest(items - answered, 0)), 0)::text as items,
        (select count(*) from ${jobDead} where job = $1)::text as dead,
        (select extract(epoch from now() - created_at) from ${jobs} where job = $1)::text as seconds
      from ${chunks} where job = $1 and done_at is null`,
    [job],
  );
  const [row] = rows;
  const items = numberOf(row, "items");
  const oldestSeconds = items === 0 ? 0 : Math.max(0, numberOf(row, "seconds"));
  return { items, dead: numberOf(row, "dead"), oldestSeconds };
}
