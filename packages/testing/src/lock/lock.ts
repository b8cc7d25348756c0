import { hash } from "node:crypto";
import type { Decision, ProfilesOf, VersionsOf } from "@decern/core";
import { canonicalForm } from "@decern/core/tools";

/** A module to lock: the same options as a host has. */
export interface LockedModule<Decisions extends readonly Decision[] = readonly Decision[]> {
  readonly decisions: Decisions;
  readonly profiles?: ProfilesOf<NoInfer<Decisions>> | undefined;
  readonly versions?: VersionsOf<NoInfer<Decisions>> | undefined;
}

/** The contents of a lock file: a corpus of inputs, and what each version makes of them. It is plain JSON. */
export interface DecisionLock {
  readonly lockVersion: 1;
  /** The instant of every evaluation, as ISO 8601 UTC. */
  readonly now: string;
  /** By id. */
  readonly decisions: Readonly<Record<string, LockedDecision>>;
}

export interface LockedDecision {
  /** The corpus: it only grows. */
  readonly inputs: readonly unknown[];
  /** By version. Versions that the module no longer has stay, with the inputs that there were at the time. */
  readonly versions: Readonly<Record<string, LockedVersion>>;
}

export interface LockedVersion {
  /** SHA-256 of the canonical JSON of the profile that was used. */
  readonly profileHash: string;
  /** The same for each decision that this one uses, as `id@version`. Absent where it uses none. */
  readonly usedProfileHashes?: Readonly<Record<string, string>>;
  /** SHA-256 of the canonical JSON of `envelopes`. */
  readonly hash: string;
  /** For each input: its outcome, such as `OK/prime-rate`, and the first 16 digits of the SHA-256 of its envelope. */
  readonly envelopes: readonly LockedEnvelope[];
}

/** An outcome, and the digest of the envelope. */
export type LockedEnvelope = readonly [outcome: string, digest: string];

/** One version that does not behave as locked. */
export interface LockDifference {
  readonly decisionId: string;
  readonly version: string;
  /** How many inputs of the corpus differ. */
  readonly inputs: number;
  /** The smallest input that differs. */
  readonly smallest: {
    readonly input: unknown;
    /** Such as `OK/prime-rate`. The same as `after` where only the output or the explanation differs. */
    readonly before: string;
    readonly after: string;
    /** Today's envelope; `{ status: "ERROR", error: { code, message } }` where the evaluation fails. */
    readonly result: unknown;
  };
  /** Whether its profile, or that of a decision that it uses, differs from the locked one. */
  readonly isProfileChanged: boolean;
}

/** A condition that has the same value for every input of a lock: a change of it may go unseen. */
export interface UnchangingCondition {
  readonly decisionId: string;
  readonly version: string;
  readonly ruleId: string;
  readonly value: boolean;
}

/** What a check found. */
export interface LockCheck {
  /** Versions whose behaviour changed while their number did not. A check passes without any. */
  readonly differences: readonly LockDifference[];
  /** Versions that the lock does not have yet, as `id@version`. */
  readonly unlocked: readonly string[];
  /** Versions that the lock has and the module does not, as `id@version`. */
  readonly gone: readonly string[];
  /** Without last rules that match everything. */
  readonly unchanging: readonly UnchangingCondition[];
}

export interface LockOptions {
  /** The text of the module's source files: inputs are made of their literals, too. @default none */
  readonly sources?: readonly string[] | undefined;
  /** Most inputs that are tried to find those worth keeping, for each version. @default 20000 */
  readonly runs?: number | undefined;
  /** The same seed finds the same inputs. @default 1 */
  readonly seed?: number | undefined;
  /** Versions, as `id@version`, whose changed behaviour is accepted. @default none */
  readonly accept?: readonly string[] | undefined;
}

/** A new lock, or what differs: then nothing must be written. */
export type LockUpdate =
  | { readonly lock: DecisionLock; readonly differences: readonly [] }
  | { readonly lock: undefined; readonly differences: readonly LockDifference[] };

/** The canonical JSON of a value. Text with half a character in it has none, and is written as `JSON.stringify` does. */
export function jsonText(value: unknown): string {
  return canonicalForm(value) ?? JSON.stringify(value) ?? "null";
}

/** The hash of a value as records and locks have it. */
export function hashOf(value: unknown): string {
  return `sha256:${hash("sha256", jsonText(value))}`;
}

/** Orders inputs: the one with the shortest JSON first, so that a reader sees as little as possible. */
export function bySize(a: unknown, b: unknown): number {
  const [first, second] = [jsonText(a), jsonText(b)];
  if (first.length !== second.length) return first.length - second.length;
  return first < second ? -1 : first === second ? 0 : 1;
}
