import { DecernError, ownError } from "./errors.js";

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

/** Where errors are logged. Pino's and Fastify's loggers are of this shape. */
export interface Logger {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with warnings at start. Optional. */
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
  /** Called with who looked at records, and with the heads of their chains. Optional. */
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes to standard error. */
export const consoleLogger: Required<Logger> = {
  error: (details, message) => {
    try {
      console.error(message, details);
    } catch {
      // What was thrown cannot even be written; that something was, can.
      console.error(message);
    }
  },
  warn: (details, message) => console.warn(message, details),
  // `console.info` would write to standard output.
  info: (details, message) => console.warn(message, details),
};

/** The logger that an option asks for. @param standard - without the option */
export function loggerOf(given: Logger | false | undefined, standard: Logger = consoleLogger): Logger {
  return given === false ? silent : (given ?? standard);
}

const silent: Logger = { error() {} };

/** A logger whose own failure breaks nothing: what it received is lost, and the evaluation continues. */
export function neverThrowing(logger: Logger = consoleLogger): Required<Logger> {
  const tell = (write: () => unknown): void => {
    // Nothing waits for a log, and there is nowhere to report what it throws, now or later.
    new Promise((resolve) => resolve(write())).catch(() => {});
  };
  return {
    error: (details, message) => tell(() => logger.error(details, message)),
    warn: (details, message) => tell(() => logger.warn?.(details, message)),
    info: (details, message) => tell(() => logger.info?.(details, message)),
  };
}
