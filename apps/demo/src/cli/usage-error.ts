/** A mistake in how the command was called, described for its user. Ends the process with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
