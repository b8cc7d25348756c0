import type { SealedRecord } from "@decern/core";
import type { ProfileText } from "./profile-texts.js";

/** The canonical text of a payload, around its salt. */
export interface PayloadText {
  /** Members whose names sort before `salt`, without commas at the ends. */
  readonly before: string;
  /** Members after it. */
  readonly after: string;
}

/** A record whose hashes are still to be computed. Everything that it says is fixed. */
export interface Draft extends Omit<SealedRecord, "hash" | "bytes" | "payloadStart" | "payloadEnd"> {
  /** Canonical text up to the member `hash`. */
  readonly beforeHash: string;
  /** From behind `hash` up to the member `payload`. */
  readonly beforePayload: string;
  /** From behind `previousHash` to the end. */
  readonly afterPrevious: string;
  /** `undefined` for a record without its payload. */
  readonly payload: PayloadText | undefined;
  /** The profiles that it names by their hash only. */
  readonly profiles: readonly ProfileText[];
  /** Of a caller's profile that the records before it do not name, in characters. */
  readonly addedLength: number;
}
