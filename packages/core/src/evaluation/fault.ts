import { isReadable, ownError } from "../copies/readable.js";
import { DecernError } from "../errors.js";

/**
 * Turns whatever was thrown into an error of ours: the one place where it is read. A hook may refuse a call with an error
 * that carries a 4xx status; everything else is a fault.
 *
 * @param where - what failed, for the log
 */
export function toFault(thrown: unknown, where: string): DecernError {
  try {
    if (isReadable(thrown)) return read(thrown, where);
  } catch {
    // The first read succeeded, the second one threw.
  }
  return new DecernError("EVALUATION_FAILED", { detail: `${where}: the thrown value cannot be read` });
}

/** Tells whether an error refuses the call, which is the caller's affair, rather than being a fault of decision or host. */
export function isRefusal(error: DecernError): boolean {
  return isCallerStatus(error.statusCode);
}

function read(thrown: unknown, where: string): DecernError {
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
