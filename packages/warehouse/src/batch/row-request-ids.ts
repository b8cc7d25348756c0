import { randomUUID } from "node:crypto";

/** Leaves room for the number of a row in the 128 characters of a request id. */
const maxLength = 110;

/**
 * Makes the request ids of the rows of one request: its own id and the number of the row. A request that is sent again has the
 * same ids, so that records of both can be told to be of the same row.
 */
export function rowRequestIds(id: string | undefined): () => string {
  const base =
    id === undefined || id.length > maxLength ? randomUUID() : id.replaceAll(/[^A-Za-z0-9._-]/g, "-");
  let row = 0;
  return () => {
    const requestId = `${base}.${row}`;
    row += 1;
    return requestId;
  };
}
