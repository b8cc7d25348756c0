import { DecernError, type RecordQuery, type StoredQuery } from "@decern/core";
import { wellFormed } from "../record/quote.js";
import type { Subjects } from "../record/subjects.js";

/**
 * A person as records may have them.
 *
 * @throws DecernError `INVALID_OPTIONS` where the log has no keys, or for something that is no person
 */
export function personsOf(person: unknown, subjects: Subjects | undefined): readonly string[] {
  if (subjects === undefined)
    throw refused("the log has no option `subject`, so its records have no subjects");
  if (typeof person !== "string" || person === "") throw refused("must be a non-empty string");
  return subjects.all(person);
}

/** A query as a store takes it. @throws DecernError `INVALID_OPTIONS`, as {@link personsOf} */
export function storedQuery({ subject, ...query }: RecordQuery, subjects: Subjects | undefined): StoredQuery {
  const { caller } = query;
  return {
    ...query,
    // As records have it.
    ...(caller === undefined ? {} : { caller: wellFormed(caller) }),
    ...(subject === undefined ? {} : { subjects: personsOf(subject, subjects) }),
  };
}

function refused(message: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "subject", problems: [{ path: "/subject", message }] });
}
