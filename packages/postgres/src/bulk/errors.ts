import { DecernError } from "@decern/core";
import { codeOf, storeError } from "../client/client.js";

/** Runs `work`, and says what it was doing if it fails. */
export async function doing<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw bulkError(what, error);
  }
}

/**
 * As {@link storeError}. Messages about values (class 22) may quote inputs, and are left out. Our own refusals stay as they are.
 */
export function bulkError(doing: string, error: unknown): Error {
  if (error instanceof DecernError) return error;
  const code = codeOf(error);
  return code?.startsWith("22")
    ? storeError(doing, error, `${code}: it refused a value; dead letters say which and why`)
    : storeError(doing, error);
}

/**
 * Whether inputs or results were refused, and would be at the next try: data that PostgreSQL cannot hold, constraints, what a trigger
 * raises, limits of PostgreSQL and JavaScript, and a statement that takes longer than a batch may.
 */
export function isAboutInputs(error: unknown): boolean {
  return error instanceof RangeError || /^(?:22|23|44|54|P0|57014$)/.test(codeOf(error) ?? "");
}
