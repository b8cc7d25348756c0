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
