import { ownError, readable } from "../copies/readable.js";
import { DecernError } from "../errors.js";

/**
 * What a host's error handling, which may send what it gets, is given of something that was thrown. The message of an error
 * of ours is the table's, without its detail; the cause has the rest.
 */
export function maskedError(thrown: unknown): unknown {
  const error = readable(thrown);
  const mine = ownError(error);
  if (mine === undefined) return error;
  return new DecernError(mine.code, { statusCode: mine.statusCode, cause: mine.cause ?? mine });
}
