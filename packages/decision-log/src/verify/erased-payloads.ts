import type { RecordStore } from "../record/record-store.js";
import { checkErasure, type VerificationProblem } from "./check-record.js";

export type Place = Pick<VerificationProblem, "recordId" | "at">;

/** More persons than this are not expected to be erased during a check. */
const maxUnexplained = 10_000;

/** Compares missing payloads with the erasures. Holds a number for each person who was ever erased. */
export class ErasedPayloads {
  readonly #report: (problem: VerificationProblem) => void;
  readonly #erased = new Map<string, number>();
  readonly #left = new Map<string, number>();
  /** Further missing payloads, by subject. */
  readonly #unexplained = new Map<string, { count: number; readonly first: Place }>();

  constructor(report: (problem: VerificationProblem) => void) {
    this.#report = report;
  }

  erasure(text: string): void {
    add(this.#erased, text);
    add(this.#left, text);
  }

  missing({ masked, subject }: Readonly<Record<string, unknown>>, place: Place): void {
    // It could not be masked, so it was written without a payload.
    if (Array.isArray(masked) && masked.includes("")) return;
    if (typeof subject !== "string") {
      this.#report(missing(place, "its payload is missing, and names no person who could have been erased"));
      return;
    }
    const left = this.#left.get(subject) ?? 0;
    const known = this.#unexplained.get(subject);
    if (left > 0) this.#left.set(subject, left - 1);
    else if (known !== undefined) known.count += 1;
    else if (this.#unexplained.size < maxUnexplained)
      this.#unexplained.set(subject, { count: 1, first: place });
    else this.#report(missing(place, noErasure(1)));
  }

  /** Reports what no erasure explains, including erasures since the start. */
  async end(store: Pick<RecordStore, "erasures">): Promise<void> {
    if (this.#unexplained.size === 0) return;
    const now = new Map<string, number>();
    for await (const { records } of store.erasures()) for await (const { text } of records) add(now, text);
    for (const [subject, { count, first }] of this.#unexplained) {
      const since = (now.get(subject) ?? 0) - (this.#erased.get(subject) ?? 0);
      if (count > since) this.#report(missing(first, noErasure(count - since)));
    }
  }
}

function add(sums: Map<string, number>, text: string): void {
  const { erasure } = checkErasure(text);
  if (erasure !== undefined) sums.set(erasure.subject, (sums.get(erasure.subject) ?? 0) + erasure.records);
}

function missing(place: Place, message: string): VerificationProblem {
  return { ...place, kind: "erasure", message };
}

function noErasure(count: number): string {
  return count === 1
    ? "its payload is missing, and no erasure accounts for it"
    : `its payload is missing, as are ${count - 1} more of the same person, and no erasure accounts for them`;
}
