import { feature } from "../base/options.js";
import type { Decision } from "../decision/decision.js";

/** Marks a {@link ProfileSource}, so that a host can tell it from a plain map of profiles. The same across copies of this package. */
export const profileSource: unique symbol = Symbol.for("decern.profile-source");

/** Loads a part of what a host serves, for as long as the host runs. */
interface Source {
  /**
   * Starts loading for one host; every host of a process watches by itself. A file has been read, and accepted or refused,
   * when this returns. It never throws.
   */
  watch(host: SourceHost): SourceWatch;
}

/** Profiles that change while a host runs. Made by `watchProfiles`. */
export interface ProfileSource extends Source {
  readonly [profileSource]: true;
}

/**
 * Decisions that change while a host runs. Made by `watchDecisions`.
 *
 * @typeParam Made - what its contracts read
 */
export interface DecisionSource<Made extends Decision = Decision> extends Source {
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

/**
 * How a load ended.
 *
 * - `loaded`: a new set is in use; or, after a failure, the source has the set in use again.
 * - `scheduled`: a new set was accepted, and will be in use from `activateAtMs` on, which is reported as `loaded`.
 * - `failed`: nothing was loaded, or what was loaded is refused. A refused document is reported once, and not again while it
 *   stays the same.
 *
 * A load that finds the set that is in use is not reported, unless the one before it failed.
 */
export type SourceLoad =
  | { readonly outcome: "loaded"; readonly revision: string | undefined }
  | {
      readonly outcome: "scheduled";
      readonly revision: string | undefined;
      /** In milliseconds since the Unix epoch. */
      readonly activateAtMs: number;
    }
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

/** What a host was given for its profiles, if it is a source to watch. */
export function profileSourceOf(value: unknown): ProfileSource | undefined {
  const isMarked = typeof value === "object" && value !== null && Reflect.get(value, profileSource) === true;
  // Only what makes sources sets the mark.
  return isMarked ? (value as ProfileSource) : undefined;
}

/** What a host was given for its decisions, if it is a source to watch. */
export function decisionSourceOf(value: unknown): DecisionSource | undefined {
  const isMarked =
    typeof value === "object" && value !== null && Reflect.get(value, feature) === "decision-source";
  // Only what makes sources sets the mark.
  return isMarked ? (value as DecisionSource) : undefined;
}
