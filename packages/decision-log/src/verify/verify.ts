import type { RecordStore, StoredChain, StoredRecord } from "../record/record-store.js";
import {
  type CheckedRecord,
  checkErasure,
  checkRecord,
  hostProfiles,
  namedContents,
  type VerificationProblem,
} from "./check-record.js";
import { ErasedPayloads, type Place } from "./erased-payloads.js";
import { KnownIds } from "./known-ids.js";

export interface VerifyOptions {
  /** Hashes that records must have: heads of chains, as the operational log has them. @default none */
  readonly heads?: readonly string[] | undefined;
  /** Called for every record with their number so far. */
  readonly onRecord?: ((records: number) => void) | undefined;
}

/** The result of checking a log. */
export interface Verification {
  /** Whether nothing is wrong. */
  readonly ok: boolean;
  readonly records: number;
  /** Heads of the chains, to compare with those in the operational log: a cut-off tail shows there only. */
  readonly chains: readonly VerifiedChain[];
  /** Chains of erasures, whose `records` are erasures. */
  readonly erasures: readonly VerifiedChain[];
  /** The first ones; a log that was overwritten may have millions. */
  readonly problems: readonly VerificationProblem[];
  readonly problemCount: number;
  /** Those given heads that no record has: the end of their chain was cut off. */
  readonly missingHeads: readonly string[];
  /** Records whose id was only compared with those before them: there were too many to remember. */
  readonly unrememberedIds: number;
}

/** One chain that was checked. */
export interface VerifiedChain {
  readonly name: string;
  readonly records: number;
  readonly head: string | null;
  /** Records whose payload was erased, or never written. */
  readonly withoutPayload: number;
  /**
   * Records up to the last given head, which proves them: none where no head of the chain was given. Absent where no head was
   * given at all.
   */
  readonly upToHead?: number;
}

const maxProblems = 100;
const maxMissing = 10_000;

type Report = (problem: VerificationProblem) => void;

export async function verify(
  store: Pick<RecordStore, "chains" | "erasures">,
  { heads: given = [], onRecord = () => {} }: VerifyOptions = {},
): Promise<Verification> {
  const problems: VerificationProblem[] = [];
  let problemCount = 0;
  const report: Report = (problem) => {
    problemCount += 1;
    if (problems.length < maxProblems) problems.push(problem);
  };
  const heads: Heads = { given: new Set(given), missing: new Set(given) };
  const erased = new ErasedPayloads(report);
  const records = new RecordChecks(erased, report);

  // Before the records: an erasure is there before the first payload has gone.
  const erasures: VerifiedChain[] = [];
  for await (const chain of store.erasures()) {
    erasures.push(
      await verifyChain(chain, checkErasure, heads, report, (_, { text }) => {
        erased.erasure(text);
        return false;
      }),
    );
  }
  const chains: VerifiedChain[] = [];
  let count = 0;
  for await (const chain of store.chains()) {
    chains.push(
      await verifyChain(chain, checkRecord, heads, report, (checked, stored, place) => {
        count += 1;
        onRecord(count);
        return records.check(checked, stored, place);
      }),
    );
  }
  await erased.end(store);
  return {
    ok: problemCount === 0 && heads.missing.size === 0,
    records: count,
    chains,
    erasures,
    problems,
    problemCount,
    missingHeads: [...heads.missing],
    unrememberedIds: records.unrememberedIds,
  };
}

interface Heads {
  readonly given: ReadonlySet<string>;
  readonly missing: Set<string>;
}

/** @param each - called for each record; returns whether its payload is missing */
async function verifyChain(
  { name, head, mayLackFirst, records }: StoredChain,
  check: (text: string) => CheckedRecord,
  heads: Heads,
  report: Report,
  each: (checked: CheckedRecord, stored: StoredRecord, place: Place) => boolean,
): Promise<VerifiedChain> {
  let count = 0;
  let withoutPayload = 0;
  let upToHead = 0;
  let last: string | null = null;
  /** Hashes that the next record may name; `undefined` if unknown. */
  let expected: readonly (string | null)[] | undefined = mayLackFirst ? undefined : [null];
  for await (const stored of records) {
    count += 1;
    const checked = check(stored.text);
    const { recordId, problem, hashes } = checked;
    const place = recordId === undefined ? { at: stored.at } : { recordId, at: stored.at };
    if (problem !== undefined) report({ ...place, ...problem });
    if (expected !== undefined && checked.previous !== undefined && !expected.includes(checked.previous)) {
      const message = "it does not follow the record before it: one was removed, added or moved";
      report({ ...place, kind: "chain", message });
    }
    if (each(checked, stored, place)) withoutPayload += 1;
    expected = hashes;
    last = hashes?.[0] ?? last;
    if (hashes?.[0] !== undefined && heads.given.has(hashes[0])) {
      heads.missing.delete(hashes[0]);
      upToHead = count;
    }
  }
  if (head !== undefined && head !== last) {
    report({ at: name, kind: "chain", message: "the last records are missing, or others were added" });
  }
  const verified = { name, records: count, head: last, withoutPayload };
  return heads.given.size === 0 ? verified : { ...verified, upToHead };
}

class RecordChecks {
  readonly #erased: ErasedPayloads;
  readonly #report: Report;
  readonly #ids = new KnownIds();
  readonly #profiles: KeptChecks;
  readonly #contents: KeptChecks;

  constructor(erased: ErasedPayloads, report: Report) {
    this.#erased = erased;
    this.#report = report;
    this.#profiles = new KeptChecks("profile", "that it was evaluated with", report);
    this.#contents = new KeptChecks("content", "that its decision was made from", report);
  }

  get unrememberedIds(): number {
    return this.#ids.unremembered;
  }

  /** @returns whether its payload is missing */
  check({ record, recordId, problem }: CheckedRecord, stored: StoredRecord, place: Place): boolean {
    if (recordId !== undefined && !this.#ids.add(recordId)) {
      this.#report({ ...place, kind: "duplicate", message: "a record with its id came before" });
    }
    if (record === undefined) return false;
    const copies = stored.wrongCopies?.(record) ?? [];
    if (copies.length > 0) {
      const message = `what a search goes by is not as in the record: ${copies.join(", ")}`;
      this.#report({ ...place, kind: "copy", message });
    }
    // A changed record proves nothing.
    if (problem === undefined && record["payload"] === null) this.#erased.missing(record, place);
    if (problem === undefined) {
      this.#profiles.check(hostProfiles(record), stored.profiles, place);
      this.#contents.check(namedContents(record), stored.contents, place);
    }
    return record["payload"] === null;
  }
}

/** Whether what records name by its hash is where they are. Reports each document once for each place. */
class KeptChecks {
  readonly #kind: "profile" | "content";
  readonly #relation: string;
  readonly #report: Report;
  /** Where the last record was, and what was reported missing there. */
  #stored: StoredRecord["profiles"];
  #missing = new Set<unknown>();

  constructor(kind: "profile" | "content", relation: string, report: Report) {
    this.#kind = kind;
    this.#relation = relation;
    this.#report = report;
  }

  check(named: readonly unknown[], stored: StoredRecord["profiles"], place: Place): void {
    if (stored === undefined) return;
    if (stored !== this.#stored || this.#missing.size > maxMissing) this.#missing = new Set();
    this.#stored = stored;
    for (const hash of named) {
      if (typeof hash !== "string" || stored.has(hash) || this.#missing.has(hash)) continue;
      this.#missing.add(hash);
      const message = `the ${this.#kind} ${hash} ${this.#relation} is missing`;
      this.#report({ ...place, kind: this.#kind, message });
    }
  }
}
