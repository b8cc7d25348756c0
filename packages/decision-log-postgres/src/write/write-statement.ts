import { nullText } from "../column-text.js";
import type { Names } from "../names.js";
import { recordColumns } from "./batch-columns.js";

/** How many parameters come before the columns of the records. */
const before = 7;

/**
 * One statement, so one round trip and one transaction: the head of the chain moves if it is where the writer left it, and only
 * then are there new records. Parameters: chain, opening, new head, number of records, old head, hashes and texts of profiles,
 * then the columns of the records. It reports as many rows as it wrote records.
 *
 * The month of a record is that of its writing, never that of an earlier record of its chain: so dropping a month takes the first
 * records of a chain, and leaves no gap.
 */
export function writeStatement({ chains, profiles, records }: Names): string {
  const given = recordColumns.map((_, index) => lines(before + index + 1)).join(", ");
  return `with moved as (
      update ${chains}
        set head = $3, records = records + $4::bigint, written_at = greatest(written_at, now())
        where id = $1::bigint and opened = $2::bigint and head is not distinct from $5
        returning id, records - $4::bigint as position, written_at
    ), profiles as (
      insert into ${profiles} (hash, profile)
        select given.hash, given.profile
        from moved, rows from (${lines(6)}, ${lines(7)}) with ordinality as given(hash, profile, number)
        where given.hash <> '' order by given.hash
        on conflict do nothing
    )
    insert into ${records} (written_at, chain, position, ${recordColumns.map(({ name }) => name).join(", ")})
      select moved.written_at, moved.id, moved.position + given.number,
        ${recordColumns.map(({ from }) => from).join(", ")}
      from moved, rows from (${given}) with ordinality
        as given(${recordColumns.map(({ sent }) => sent).join(", ")}, number)
      where given.number <= $4::bigint`;
}

function lines(parameter: number): string {
  return `string_to_table($${parameter}, E'\\n', '${nullText}')`;
}
