import { DecernError, ERRORS } from "./errors.js";

/** What we, loggers and frameworks read of an error, wherever it is defined. */
const readNames = [
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
 * Anything can be thrown: a proxy, an object whose getters throw. Looking at that would throw again, where no code expects
 * it.
 *
 * @returns what was thrown, or an error of ours that says that it cannot be read
 */
export function readable(thrown: unknown): unknown {
  return isReadable(thrown) ? thrown : unreadable();
}

/** What stands in the place of what cannot be read. */
function unreadable(): DecernError {
  return new DecernError("INTERNAL_ERROR", { detail: "the thrown value cannot be read" });
}

/** What was thrown, if it is an error of ours that this version of the package knows. */
export function ownError(thrown: unknown): DecernError | undefined {
  return thrown instanceof DecernError && Object.hasOwn(ERRORS, thrown.code) ? thrown : undefined;
}

/** Tells whether looking at a value that was thrown throws nothing. */
function isReadable(thrown: unknown): boolean {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return true;
  try {
    // A function isn't an error, and has properties that may not be read.
    const own = typeof thrown === "object" ? Reflect.ownKeys(thrown) : [];
    for (const key of [...readNames, ...own]) if (key in thrown) Reflect.get(thrown, key);
    if (thrown instanceof Error) String(thrown);
    return true;
  } catch {
    return false;
  }
}

/** Copies an error of ours for somebody who watches. Its cause is the very thing that was thrown. */
export function copyError(error: DecernError): DecernError {
  const { code, statusCode, problems, message, stack } = error;
  const copy = new DecernError(code, {
    statusCode,
    problems: problems.map((problem) => ({ ...problem })),
    ...("cause" in error ? { cause: error.cause } : {}),
  });
  copy.message = message;
  if (stack !== undefined) copy.stack = stack;
  return copy;
}

/**
 * Turns whatever was thrown into an error of ours: the one place where it is read. A hook may refuse a call with an error
 * that carries a 4xx status; everything else is an error.
 *
 * @param where - what failed, for the log
 */
export function toFault(thrown: unknown, where: string): DecernError {
  try {
    if (isReadable(thrown)) return faultOf(thrown, where);
  } catch {
    // The first read succeeded, the second one threw.
  }
  return new DecernError("EVALUATION_FAILED", { detail: `${where}: the thrown value cannot be read` });
}

/** Tells whether an error refuses the call, which is the caller's affair, rather than an error of decision or host. */
export function isRefusal(error: DecernError): boolean {
  return isCallerStatus(error.statusCode);
}

function faultOf(thrown: unknown, where: string): DecernError {
  const own = ownError(thrown);
  if (own !== undefined) return own;
  const statusCode =
    typeof thrown === "object" && thrown !== null && "statusCode" in thrown ? thrown.statusCode : undefined;
  return isCallerStatus(statusCode)
    ? new DecernError("EVALUATION_ABORTED", { statusCode, cause: thrown })
    : new DecernError("EVALUATION_FAILED", { detail: where, cause: thrown });
}

function isCallerStatus(status: unknown): status is number {
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 499;
}

/**
 * Returns the form of a thrown value that a host's error handling may get, and may send. The message of one of our own errors
 * is the table's, without its detail; its cause has the rest.
 */
export function maskedError(thrown: unknown): unknown {
  const error = readable(thrown);
  const mine = ownError(error);
  if (mine === undefined) return error;
  return new DecernError(mine.code, { statusCode: mine.statusCode, cause: mine.cause ?? mine });
}

/**
 * Makes an `Error` of a thrown value. Frameworks take `undefined`, and Express some strings, to mean "continue", and send as a
 * reply whatever is not an `Error`. Such a value becomes the cause of one. They also read what they get.
 */
export function asThrowable(thrown: unknown): Error {
  const cause = readable(thrown);
  try {
    return cause instanceof Error ? cause : new DecernError("INTERNAL_ERROR", { cause });
  } catch {
    return unreadable();
  }
}
