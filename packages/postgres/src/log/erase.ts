import { erasureLine, type StoredChain, type StoredRecord } from "@decern/decision-log";
import {
  exists,
  inTransaction,
  lockUntilCommit,
  numberOf,
  type PostgresClient,
  type PostgresPool,
  textOf,
} from "../client/client.js";
import type { Names } from "../client/layout.js";
import { columnText } from "./columns.js";
import { stream } from "./find.js";

/** Removes payloads and notes the erasure, in one transaction. @returns how many records lost their payload */
export function erase(pool: PostgresPool, names: Names, subjects: readonly string[]): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query(
      `with erased as (
        update ${names.records} set payload = null where subject = any($1::text[]) and payload is not null
          returning subject
      ) select subject, count(*)::text as records from erased group by subject order by subject`,
      [subjects.map(columnText)],
    );
    let total = 0;
    if (rows.length > 0) await lockUntilCommit(client, `decern erasures ${names.schemaName}`);
    for (const row of rows) {
      const records = numberOf(row, "records");
      const column = textOf(row, "subject");
      const subject = subjects.find((one) => columnText(one) === column) ?? "";
      await note(client, names, subject, records);
      total += records;
    }
    return total;
  });
}

/** Chains an erasure to the one before it: one transaction at a time. */
async function note(client: PostgresClient, names: Names, subject: string, records: number): Promise<void> {
  const { rows } = await client.query(`select erasure from ${names.erasures} order by id desc limit 1`);
  const erasure = { erasedAt: new Date().toISOString(), records, subject };
  const { text } = erasureLine(erasure, headOf(textOf(rows[0], "erasure")));
  await client.query(`insert into ${names.erasures} (erasure) values ($1)`, [text]);
}

/** Where the last one cannot be read, the chain is broken already, and begins again. */
function headOf(text: string | null): string | null {
  try {
    const { hash }: { hash?: unknown } = Object(JSON.parse(text ?? "null"));
    return typeof hash === "string" ? hash : null;
  } catch {
    return null;
  }
}

/** The chain of erasures. Tables of an earlier layout have none. */
export async function* erasures(pool: PostgresPool, names: Names): AsyncGenerator<StoredChain, void> {
  if (await exists(pool, names.erasures)) {
    yield { name: "erasures", mayLackFirst: false, records: readErasures(pool, names) };
  }
}

async function* readErasures(pool: PostgresPool, names: Names): AsyncGenerator<StoredRecord, void> {
  const text = `select id::text as number, erasure from ${names.erasures} order by id`;
  for await (const row of stream(pool, { text, values: [] })) {
    yield { at: `erasure ${textOf(row, "number")}`, text: textOf(row, "erasure") ?? "" };
  }
}
