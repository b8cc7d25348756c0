/** The system's code of an error, such as `ENOENT`. */
function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

/** Whether the system refused something, such as for lack of a permission. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && typeof codeOf(error) === "string" && Reflect.has(error, "syscall");
}

/** Whether a file or a directory does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** Whether a file that had to be new exists. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}
