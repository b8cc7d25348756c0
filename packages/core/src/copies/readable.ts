import { DecernError, ERRORS } from "../errors.js";

/** What we, loggers and frameworks read of an error, wherever it is defined. */
const read = [
  "name",
  "message",
  "stack",
  "cause",
  "code",
  "status",
  "statusCode",
  "headers",
  "then",
  "toJSON",
];

/**
 * Anything can be thrown: a proxy, an object whose getters throw. Looking at that would throw again, where nobody expects
 * it.
 *
 * @returns what was thrown, or an error of ours that says that it cannot be read
 */
export function readable(thrown: unknown): unknown {
  return isReadable(thrown) ? thrown : unreadable();
}

/** What stands in the place of what cannot be read. */
export function unreadable(): DecernError {
  return new DecernError("INTERNAL_ERROR", { detail: "the thrown value cannot be read" });
}

/** What was thrown, if it is an error of ours that this version of the package knows. */
export function ownError(thrown: unknown): DecernError | undefined {
  return thrown instanceof DecernError && Object.hasOwn(ERRORS, thrown.code) ? thrown : undefined;
}

/** Tells whether looking at a value that was thrown throws nothing. */
export function isReadable(thrown: unknown): boolean {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return true;
  try {
    // A function is no error, and has properties that may not be read.
    const own = typeof thrown === "object" ? Reflect.ownKeys(thrown) : [];
    for (const key of [...read, ...own]) if (key in thrown) Reflect.get(thrown, key);
    if (thrown instanceof Error) String(thrown);
    return true;
  } catch {
    return false;
  }
}
