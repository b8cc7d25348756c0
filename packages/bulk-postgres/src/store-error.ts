import { DecernError } from "@decern/core";

/**
 * What PostgreSQL said, as far as it may be logged: its details may quote inputs, and so may its messages about values (class 22).
 * Our own refusals stay as they are.
 *
 * @param doing - such as "take inputs"
 */
export function storeError(doing: string, error: unknown): Error {
  if (error instanceof DecernError) return error;
  const code = codeOf(error);
  const said = code?.startsWith("22")
    ? `${code}: it refused a value; dead letters say which and why`
    : saidOf(error);
  return new Error(`PostgreSQL could not ${doing}: ${said}`);
}

/** Runs `work`, and says what it was doing if it fails. */
export async function doing<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw storeError(what, error);
  }
}

/**
 * Whether inputs or results were refused, and would be at the next try: data that PostgreSQL cannot hold, constraints, what a trigger
 * raises, limits of PostgreSQL and JavaScript, and a statement that takes longer than a batch may.
 */
export function isAboutInputs(error: unknown): boolean {
  return error instanceof RangeError || /^(?:22|23|44|54|P0|57014$)/.test(codeOf(error) ?? "");
}

/** The SQLSTATE and message of an error. */
export function saidOf(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error && error.message !== "" ? error.message : "unknown error";
  return `${code === undefined ? "" : `${code}: `}${message}`;
}

/** The SQLSTATE of an error, or what Node calls it; `undefined` where there is none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
