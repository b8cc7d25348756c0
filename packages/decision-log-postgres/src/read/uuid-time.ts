import type { Written } from "./find-statement.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dayMs = 86_400_000;
/** The time in it has 48 bits, and PostgreSQL's time ends before that. */
const latestMs = 9_000_000_000_000_000 / 1000;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** When a record with this id was probably written: its id, a UUID of version 7, has the time. `undefined` for another version. */
export function writtenAround(recordId: string): Written | undefined {
  if (recordId[14] !== "7") return undefined;
  const ms = Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16);
  return ms > latestMs ? undefined : { fromMs: ms - dayMs, toMs: ms + dayMs };
}
