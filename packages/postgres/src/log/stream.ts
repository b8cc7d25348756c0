import {
  giveBack,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  takeClient,
} from "../client/client.js";

const emptied = '"payload":null,"payloadHash":';

/**
 * A record with its payload put back. The members of a record are in the order of their names, and a quotation mark within a text
 * is escaped, so that there is one place for it.
 *
 * @param payload - `null` when it was erased
 */
export function storedText(record: string, payload: string | null): string {
  if (payload === null) return record;
  const at = record.indexOf(emptied);
  // Without that place, somebody has changed the record: no payload makes it what it was.
  if (at < 0) return record;
  return `${record.slice(0, at)}"payload":${payload},${record.slice(at + emptied.length - '"payloadHash":'.length)}`;
}

/** Rows that are fetched at a time. */
const pageSize = 500;

/**
 * Streams the rows of a statement through a cursor: neither side holds more than a page. The connection goes back to the pool with
 * the last page, so that a search with few results keeps none while its reader works.
 *
 * @param onPage - looks up what a page needs, on the same connection: the pool may have no other
 */
export async function* stream(
  pool: PostgresPool,
  { text, values }: Statement,
  onPage: (client: PostgresClient, rows: readonly object[]) => Promise<void> = async () => {},
): AsyncGenerator<object, void> {
  const client = await takeClient(pool);
  let isHeld = true;
  const release = (isBroken: boolean): void => {
    if (isHeld) giveBack(client, isBroken);
    isHeld = false;
  };
  try {
    await client.query("begin read only");
    await client.query(`declare decern_find no scroll cursor for ${text}`, values);
    while (isHeld) {
      const { rows } = await client.query(`fetch ${pageSize} from decern_find`);
      await onPage(client, rows);
      if (rows.length < pageSize) {
        await client.query("commit");
        release(false);
      }
      yield* rows;
    }
  } catch (error) {
    release(true);
    throw error;
  } finally {
    if (isHeld) {
      // The reader stopped early.
      const isClosed = await client.query("rollback").then(
        () => true,
        () => false,
      );
      release(!isClosed);
    }
  }
}
