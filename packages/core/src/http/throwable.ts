import { DecernError } from "../errors.js";

/**
 * What a host's error handling can be given. Frameworks take `undefined`, and Express some strings, for "go on": what was
 * thrown and is no `Error` becomes one, with it as cause.
 */
export function asThrowable(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new DecernError("INTERNAL_ERROR", { cause: thrown });
}
