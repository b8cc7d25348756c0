import { DecernError } from "@decern/core";

/**
 * What PostgreSQL said, as far as it may be logged: its details may quote inputs. Our own refusals stay as they are.
 *
 * @param doing - such as "take inputs"
 */
export function storeError(doing: string, error: unknown): Error {
  if (error instanceof DecernError) return error;
  return new Error(`PostgreSQL could not ${doing}: ${saidOf(error)}`);
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
