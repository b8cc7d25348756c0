import { createHash } from "node:crypto";
import { columnText } from "../column-text.js";
import type { Names } from "../names.js";
import type { PostgresClient } from "../pool.js";
import { textOf } from "../row.js";

/** Most hashes that are remembered, beside those of one page. */
const maxRemembered = 100_000;

const hashes = /"profileHash":"(sha256:[0-9a-f]{64})"/g;

/** Which profiles that records name are stored, and are what was hashed. */
export class KnownProfiles {
  readonly #names: Names;
  readonly #known = new Map<string, boolean>();

  constructor(names: Names) {
    this.#names = names;
  }

  has(hash: string): boolean {
    return this.#known.get(hash) ?? false;
  }

  /** Looks up what the rows of a page name. What a payload merely quotes does no harm. */
  async lookUp(client: PostgresClient, rows: readonly object[]): Promise<void> {
    if (this.#known.size > maxRemembered) this.#known.clear();
    const named = new Set<string>();
    for (const text of rows.flatMap((row) => [textOf(row, "record"), textOf(row, "payload")])) {
      for (const [, hash = ""] of (text ?? "").matchAll(hashes)) named.add(hash);
    }
    const unknown = [...named].filter((hash) => !this.#known.has(hash));
    if (unknown.length === 0) return;
    for (const hash of unknown) this.#known.set(hash, false);
    const { rows: found } = await client.query(
      `select hash, profile from ${this.#names.profiles} where hash = any($1::text[])`,
      [unknown.map(columnText)],
    );
    for (const row of found) {
      const hash = textOf(row, "hash") ?? "";
      const profile = createHash("sha256").update(textOf(row, "profile") ?? "");
      this.#known.set(hash, `sha256:${profile.digest("hex")}` === hash);
    }
  }
}
