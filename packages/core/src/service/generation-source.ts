import type { Problem } from "../base/errors.js";
import { type feature, hasMark } from "../base/kinds.js";
import type { Awaitable } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import type { VersionPolicy } from "./version-policy.js";

/** Loads a part of what a host serves, for as long as the host runs. */
interface Source<Host extends SourceHost> {
  /**
   * Starts loading for one host; every host of a process watches by itself. A file has been read, and accepted or refused,
   * when this returns, unless it is compared with records first. It never throws.
   */
  watch(host: Host): SourceWatch;
}

/** Profiles that change while a host runs. Made by `watchProfiles`. */
export interface ProfileSource extends Source<SourceHost> {
  readonly [feature]: "profile-source";
}

/**
 * Decisions that change while a host runs. Made by `watchDecisions`.
 *
 * @typeParam Made - what its contracts read
 */
export interface DecisionSource<Made extends Decision = Decision> extends Source<DecisionHost> {
  readonly [feature]: "decision-source";
  readonly contracts: readonly DecisionContract<Made>[];
  /** Served too, and never changed. */
  readonly fixed: readonly Decision[];
  /** Default profiles by decision id, or their source. @default those of the host, or of the set that is loaded */
  readonly profiles: Readonly<Record<string, unknown>> | ProfileSource | undefined;
}

/** A file as a source loaded it, or a document that was parsed already. */
export type DecisionFile =
  | {
      /** For messages. */
      readonly name: string;
      readonly bytes: Uint8Array;
    }
  | { readonly name: string; readonly document: unknown };

/**
 * What files of decisions must keep to, such as a table contract. Ids and schemas never change, and so callers need not.
 *
 * @typeParam Made - the decisions that it reads
 */
export interface DecisionContract<Made extends Decision = Decision> {
  /** The decisions that `read` returns, one each. */
  readonly ids: readonly string[];
  /** Whether a file has something for this contract, be it right or wrong. */
  holds(file: DecisionFile): boolean;
  /**
   * Makes the decisions.
   *
   * @param files - those that it holds
   * @throws DecernError with every problem
   */
  read(files: readonly DecisionFile[]): readonly Made[];
  /**
   * Looks in what `read` returned for what takes long to find.
   *
   * @param signal - ends the search. Without it, nothing is in use yet, and the search may block; with it, calls are evaluated
   *   meanwhile, and it must not
   * @returns what is wrong. Rejects where the search failed, which says nothing about the decisions
   */
  check?(made: readonly Decision[], signal?: AbortSignal): Awaitable<readonly Problem[]>;
}

/** A whole set, as a source loaded it: of profiles, or of decisions and maybe profiles with them. */
export interface LoadedSet {
  /** A profile for each decision id, fresh from JSON: the host may keep them. */
  readonly profiles?: Readonly<Record<string, unknown>> | undefined;
  /** Every version of every decision; the first of an id is its default. */
  readonly decisions?: readonly Decision[] | undefined;
  /** The set's own name, if it has one. */
  readonly revision: string | undefined;
  /** From when on to use it, in milliseconds since the Unix epoch. @default immediately */
  readonly activateAtMs?: number | undefined;
  /** The kind of place, such as `file`. */
  readonly source?: string | undefined;
  /** A hash of the content of decisions, which no other content has. */
  readonly digest?: string | undefined;
}

/** A set that is in use. */
export interface Revision {
  /** The set's own name, if it has one. */
  readonly revision: string | undefined;
  /** The kind of place that it was loaded from, such as `file`. */
  readonly source: string | undefined;
  /** Since when it is in use, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
}

/** Of what sources have loaded. */
export interface Revisions {
  readonly decisions?: Revision | undefined;
  readonly profiles?: Revision | undefined;
}

/** What calls would be evaluated with if a set were in use, in the form that hosts and replays take. */
export interface SetCandidate {
  readonly decisions: readonly Decision[];
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, VersionPolicy>>;
  /** Ids whose results can differ from those in use. */
  readonly changed: readonly string[];
}

/** What a host does with the sets of a source. */
export interface SourceHost {
  /**
   * Validates a whole set together, and takes it into use: immediately, or from its `activateAtMs` on. It replaces a set that
   * was accepted before and still waits for its instant. Not called for the set that was accepted last.
   *
   * @throws DecernError when anything in it is wrong; what was accepted before then stays
   */
  accept(set: LoadedSet): void;
  /** Told how loads ended, to log and count them. What it throws is ignored. */
  onLoad(load: SourceLoad): void;
}

/** What a host does with sets of decisions. */
export interface DecisionHost extends SourceHost {
  /**
   * Validates a whole set as `accept` does, and leaves everything as it is.
   *
   * @returns `undefined` while profiles have not been loaded
   * @throws DecernError when anything in it is wrong
   */
  candidate(set: LoadedSet): SetCandidate | undefined;
}

/** How the records of one decision compare with a set that is not in use yet. */
export interface SetComparison {
  readonly decisionId: string;
  /** Records whose result was compared, and those that would have another result. */
  readonly compared: number;
  readonly different: number;
  /** Records that could not be compared, and of those the ones whose payload was erased. */
  readonly unknown: number;
  readonly erased: number;
  /** The share of different results among those compared, from 0 to 1, each record weighted by the calls that it stands for. */
  readonly differentShare: number;
  /** The share of records that could not be compared, from 0 to 1. Those with an erased payload don't count. */
  readonly unknownShare: number;
}

/** A record whose result a set would change. */
export interface RecordChange {
  readonly recordId: string;
  readonly decisionId: string;
  readonly before: RecordOutcome;
  readonly after: RecordOutcome;
}

/** One of two results of a record. */
export interface RecordOutcome {
  /** Status and rule, such as `OK/row-1`. */
  readonly outcome: string;
  readonly version: string;
  /** The output. Absent without one, and where something of the record is masked. */
  readonly data?: unknown;
}

/** Why a valid set is not used. */
export interface HeldSet {
  readonly revision: string | undefined;
  /** By which an operator can let the set through. */
  readonly digest: string | undefined;
  /** A sentence for operators. */
  readonly reason: string;
  readonly comparisons: readonly SetComparison[];
  /** At most 20 of each decision. */
  readonly changes: readonly RecordChange[];
}

/**
 * How a load ended.
 *
 * - `loaded`: a new set is in use; or, after a set that failed or was held, the source has the set in use again.
 * - `scheduled`: a new set was accepted, and will be in use from `activateAtMs` on, which is reported as `loaded`.
 * - `held`: a new set is valid, and is not used, because it changes more results of records than is allowed. The set before stays.
 * - `failed`: nothing was loaded, or what was loaded is refused. A refused document is reported once, and not again while it
 *   stays the same.
 *
 * A load that finds the set that is in use is not reported, unless the one before it failed or was held.
 */
export type SourceLoad =
  | {
      readonly outcome: "loaded";
      readonly revision: string | undefined;
      /** Only where a new set was compared with records. */
      readonly comparisons?: readonly SetComparison[];
    }
  | {
      readonly outcome: "scheduled";
      readonly revision: string | undefined;
      readonly comparisons?: readonly SetComparison[];
      /** In milliseconds since the Unix epoch. */
      readonly activateAtMs: number;
    }
  | ({ readonly outcome: "held" } & HeldSet)
  | { readonly outcome: "failed"; readonly error: unknown };

/** The sets of one host, being watched. */
export interface SourceWatch {
  /** Whether a set has come into use. Once true, it stays true. */
  readonly isReady: boolean;
  /**
   * Resolves when the first set has come into use. Rejects with the error of the first load, also when `stop` comes first; later
   * loads may still succeed. A rejection that no code handles is ignored.
   */
  readonly first: Promise<void>;
  /** Ends a running load and starts no other. After this call, the host hears nothing. May be called again. */
  stop(): Promise<void>;
}

interface Sources {
  readonly "profile-source": ProfileSource;
  readonly "decision-source": DecisionSource;
}

/** What a host was given, if it is a source of this kind, to watch. */
export function sourceOf<Mark extends keyof Sources>(mark: Mark, value: unknown): Sources[Mark] | undefined {
  // Only what makes sources sets the mark.
  return hasMark(value, mark) ? (value as Sources[Mark]) : undefined;
}
