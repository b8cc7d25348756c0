/** The system's code of an error, such as `ENOENT`. */
function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

/** Whether a file or a directory does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}
