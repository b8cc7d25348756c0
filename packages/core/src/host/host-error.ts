import { ownError, readable, unreadable } from "../copies/readable.js";
import { DecernError } from "../errors.js";
import type { Exchange } from "./exchange.js";

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
 * Makes an `Error` of a thrown value. Frameworks take `undefined`, and Express some strings, to mean "go on", and send as a
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

/** Gives a failure to the host's error handling, which may cut off a reply that is on its way. A complete reply needs none. */
export function handOver(thrown: unknown, requestId: string, exchange: Exchange<never>): void {
  if (exchange.hasEnded()) exchange.leave();
  else exchange.fail(asThrowable(thrown), requestId);
}
