export interface VerifyOptions {
  /** Hashes that records must have: heads of chains, as the operational log has them. @default none */
  readonly heads?: readonly string[] | undefined;
  /** Called for every record with their number so far. */
  readonly onRecord?: ((records: number) => void) | undefined;
}

/** What came of checking a log. */
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

/** One thing that is wrong with a record. */
export interface VerificationProblem {
  /** Absent where it cannot be read. */
  readonly recordId?: string;
  /** Where the record is, such as a file and a line. */
  readonly at: string;
  /**
   * - `unreadable`: not a record
   * - `payload`: the payload is not the one that was written
   * - `hash`: something else in the record is not
   * - `chain`: the record does not follow the one before it: one was removed, added or moved
   * - `profile`: a profile that the record was evaluated with is not there
   * - `erasure`: the payload is not there, and no erasure accounts for it
   * - `duplicate`: a record with its id came before
   * - `copy`: what the store searches by is not as in the record
   */
  readonly kind: "unreadable" | "payload" | "hash" | "chain" | "profile" | "erasure" | "duplicate" | "copy";
  readonly message: string;
}
