/** What the user of the command got wrong, in words for that user. Ends the process with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
