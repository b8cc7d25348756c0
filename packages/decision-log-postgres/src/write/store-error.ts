/**
 * What PostgreSQL said, as far as it may be logged: its details may quote what was sent.
 *
 * @param doing - such as "write records"
 */
export function storeError(doing: string, error: unknown): Error {
  const code = codeOf(error);
  const message = error instanceof Error && error.message !== "" ? error.message : "unknown error";
  return new Error(`PostgreSQL could not ${doing}: ${code === undefined ? "" : `${code}: `}${message}`);
}

/** The SQLSTATE of an error, or what Node calls it; `undefined` where there is none. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
