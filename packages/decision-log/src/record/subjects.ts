import { createHmac } from "node:crypto";
import { DecernError } from "@decern/core";

export type SubjectOf = (input: unknown) => unknown;

/** A secret key for subjects: text, or bytes. */
export type SubjectKey = string | Uint8Array;

/** Turns persons into subjects of records: HMAC-SHA-256. */
export class Subjects {
  readonly #keys: readonly Buffer[];

  /** @param keys - at least one. The first one writes; all of them find */
  constructor(keys: readonly SubjectKey[]) {
    this.#keys = keys.map((key) => Buffer.from(key));
  }

  write(person: string): string {
    const [first] = this.#keys;
    if (first === undefined) throw new TypeError("there is no key");
    return hmac(first, person);
  }

  all(person: string): readonly string[] {
    return this.#keys.map((key) => hmac(key, person));
  }
}

function hmac(key: Buffer, person: string): string {
  return `sha256:${createHmac("sha256", key).update(person).digest("hex")}`;
}

export function subjectsOf(key: SubjectKey | readonly SubjectKey[] | undefined): Subjects | undefined {
  if (key === undefined) return undefined;
  return new Subjects(typeof key === "string" || key instanceof Uint8Array ? [key] : key);
}

/** The `subject.of` functions, by id of the decision. */
export function subjectFunctions(of: object | undefined): ReadonlyMap<string, SubjectOf> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(of ?? {});
  return new Map(
    entries.flatMap(([id, name]) =>
      typeof name === "function" ? [[id, (input: unknown): unknown => name(input)] as const] : [],
    ),
  );
}

/**
 * A person as records may have them.
 *
 * @throws DecernError `INVALID_OPTIONS` where the log has no keys, or for something that isn't a person
 */
export function personsOf(person: unknown, subjects: Subjects | undefined): readonly string[] {
  if (subjects === undefined)
    throw refused("the log has no option `subject`, so its records have no subjects");
  if (typeof person !== "string" || person === "") throw refused("must be a non-empty string");
  return subjects.all(person);
}

function refused(message: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "subject", problems: [{ path: "/subject", message }] });
}
