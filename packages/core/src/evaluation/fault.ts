import { isReadable, ownError } from "../copies/readable.js";
import { DecernError } from "../errors.js";
import { type ErrorReply, tableReply, toErrorReply } from "../host/outcome-table.js";

/** A failed evaluation: the error, and what a caller over HTTP is told of it. Both are settled before anybody sees the error. */
export interface Fault {
  readonly error: DecernError;
  readonly reply: ErrorReply;
}

/**
 * Turns whatever was thrown into a fault: the one place where it is read. A hook may refuse a call with an error that
 * carries a 4xx status; everything else is a masked 500.
 *
 * @param where - what failed, for the log
 */
export function toFault(thrown: unknown, where: string): Fault {
  try {
    if (isReadable(thrown)) return read(thrown, where);
  } catch {
    // Read once it was fine; the second time it threw.
  }
  const error = new DecernError("EVALUATION_FAILED", { detail: `${where}: what was thrown cannot be read` });
  return { error, reply: tableReply(error.code) };
}

function read(thrown: unknown, where: string): Fault {
  const own = ownError(thrown);
  if (own !== undefined) return { error: own, reply: toErrorReply(own) };
  const statusCode =
    typeof thrown === "object" && thrown !== null && "statusCode" in thrown ? thrown.statusCode : undefined;
  const error = isRefusal(statusCode)
    ? new DecernError("EVALUATION_ABORTED", { statusCode, cause: thrown })
    : new DecernError("EVALUATION_FAILED", { detail: where, cause: thrown });
  return { error, reply: toErrorReply(error) };
}

function isRefusal(status: unknown): status is number {
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 499;
}
