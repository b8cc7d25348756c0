import { DecernError } from "@decern/core";
import { quote } from "../names.js";
import type { PostgresClient } from "../pool.js";
import { textOf } from "../row.js";
import { codeOf, saidOf } from "../store-error.js";
import type { ChunksOptions } from "./chunks-options.js";

/** The table of a job, as SQL. */
export interface SourceTable {
  /** With its schema, quoted. */
  readonly table: string;
  readonly key: string;
  readonly keyType: string;
  /** The input as text, over the row `t`. */
  readonly input: string;
}

/**
 * Finds the table, and that its key can divide it: one column, unique and never null.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
export async function readSourceTable(client: PostgresClient, options: ChunksOptions): Promise<SourceTable> {
  const { rows } = await client
    .query(
      `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as source, c.relkind::text as kind, a.attnotnull::text as filled,
        format_type(a.atttypid, -1) as type,
        (select 'yes' from pg_inherits i where i.inhparent = c.oid and c.relkind = 'r' limit 1) as is_inherited,
        (select 'yes' from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
          and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum limit 1) as is_unique
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnum > 0 and not a.attisdropped
      where c.oid = to_regclass($1)`,
      [options.table, options.key],
    )
    .catch((error: unknown) => {
      // Such as `my table`, which needs quotes in SQL.
      if (/^(?:42|0A)/.test(codeOf(error) ?? ""))
        refuse("/table", `is not a valid table name: ${saidOf(error)}`);
      throw error;
    });
  const [row] = rows;
  const source = textOf(row, "source");
  if (source === null) refuse("/table", `table ${options.table} does not exist`);
  if (!["r", "p"].includes(textOf(row, "kind") ?? ""))
    refuse("/table", "must be a table: the key of a view is not known to be unique");
  if (textOf(row, "is_inherited") !== null)
    refuse("/table", "must not have tables that inherit from it: no index spans their keys");
  const keyType = textOf(row, "type");
  if (keyType === null) refuse("/key", `${source} has no column ${options.key}`);
  if (textOf(row, "is_unique") === null || textOf(row, "filled") !== "true")
    refuse(
      "/key",
      `${options.key} must be a primary key of one column, or NOT NULL with a unique index of its own; keys of several columns are not supported`,
    );
  const input = inputOf(options);
  await checkInput(client, source, input, options);
  return { table: source, key: quote(options.key), keyType, input };
}

/** A worker would try time and again what the database does not even parse. */
async function checkInput(
  client: PostgresClient,
  table: string,
  input: string,
  options: ChunksOptions,
): Promise<void> {
  try {
    await client.query(`select ${input} from ${table} as t limit 0`);
  } catch (error) {
    if (!/^(?:22|42)/.test(codeOf(error) ?? "") || codeOf(error) === "42501") throw error;
    refuse(options.input === undefined ? "/columns" : "/input", saidOf(error));
  }
}

function inputOf({ columns, input }: ChunksOptions): string {
  // What ends with a comment must not swallow the rest. A column may have the name of the row: `t.*` is always the row.
  if (input !== undefined) return `(${input}\n)::text`;
  if (columns === undefined) return "row_to_json(t.*)::text";
  const list = columns.map((column) => `t.${quote(column)}`).join(", ");
  return `(select row_to_json(chosen.*)::text from (select ${list}) as chosen)`;
}

function refuse(path: string, message: string): never {
  throw new DecernError("INVALID_OPTIONS", { detail: "postgresChunks", problems: [{ path, message }] });
}
