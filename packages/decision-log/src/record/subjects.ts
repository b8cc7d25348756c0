import { createHmac } from "node:crypto";

/** A secret key for subjects: text, or bytes. */
export type SubjectKey = string | Uint8Array;

/** Turns persons into what records have of them: HMAC-SHA-256. */
export class Subjects {
  readonly #keys: readonly Buffer[];

  /** @param keys - at least one. The first one writes; all of them find */
  constructor(keys: readonly SubjectKey[]) {
    this.#keys = keys.map((key) => Buffer.from(key));
  }

  /** As a new record has it. */
  write(person: string): string {
    const [first] = this.#keys;
    if (first === undefined) throw new TypeError("there is no key");
    return hmac(first, person);
  }

  /** As records may have it, under any of the keys. */
  all(person: string): readonly string[] {
    return this.#keys.map((key) => hmac(key, person));
  }
}

function hmac(key: Buffer, person: string): string {
  return `sha256:${createHmac("sha256", key).update(person).digest("hex")}`;
}
