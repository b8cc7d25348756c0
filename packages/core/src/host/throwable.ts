import { readable, unreadable } from "../copies/readable.js";
import { DecernError } from "../errors.js";

/**
 * What a host's error handling can be given. Frameworks take `undefined`, and Express some strings, for "go on", and send
 * as a reply what is no `Error`: it becomes one, with what was thrown as cause. They read what they get, too.
 */
export function asThrowable(thrown: unknown): Error {
  const cause = readable(thrown);
  try {
    return cause instanceof Error ? cause : new DecernError("INTERNAL_ERROR", { cause });
  } catch {
    return unreadable();
  }
}
