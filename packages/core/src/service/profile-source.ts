import type { Awaitable } from "../base/awaitable.js";
import type { Identity, RequestView, SelectedBy } from "./request-view.js";

/** Marks a {@link ProfileSource}, so that a host can tell it from a plain map of profiles. The same across copies of this package. */
export const profileSource: unique symbol = Symbol.for("decern.profile-source");

/** Profiles that change while a host runs. Made by `watchProfiles`. */
export interface ProfileSource {
  readonly [profileSource]: true;
  /**
   * Starts loading for one host; every host of a process watches by itself. A file has been read, and accepted or refused,
   * when this returns. It never throws.
   */
  watch(host: ProfileWatcher): ProfileWatch;
}

/** What a host does with the profiles of a {@link ProfileSource}. */
export interface ProfileWatcher {
  /**
   * Validates a whole set together, and takes it into use: immediately, or from its `activateAtMs` on. It replaces a set that
   * was accepted before and still waits for its instant. Not called for the set that was accepted last.
   *
   * @throws DecernError when anything in it is wrong; what was accepted before then stays
   */
  accept(set: ProfileDocument): void;
  /** Told how loads ended, to log and count them. What it throws is ignored. */
  onLoad(load: ProfileLoad): void;
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
export type ProfileLoad =
  | { readonly outcome: "loaded"; readonly revision: string | undefined }
  | {
      readonly outcome: "scheduled";
      readonly revision: string | undefined;
      /** In milliseconds since the Unix epoch. */
      readonly activateAtMs: number;
    }
  | { readonly outcome: "failed"; readonly error: unknown };

/** The profiles of one host, being watched. */
export interface ProfileWatch {
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

/** Tells whether what a host was given for its profiles is a source to watch. */
export function isProfileSource(value: unknown): value is ProfileSource {
  return typeof value === "object" && value !== null && Reflect.get(value, profileSource) === true;
}

/** A whole set of profiles. */
export interface ProfileDocument {
  /** A profile for each decision id, fresh from JSON: the host may keep them. */
  readonly profiles: Readonly<Record<string, unknown>>;
  /** The document's own name for this set, if it has one. */
  readonly revision: string | undefined;
  /** From when on to use it, in milliseconds since the Unix epoch. @default immediately */
  readonly activateAtMs?: number | undefined;
}

/**
 * One call, for choosing its profile.
 *
 * @typeParam Name - the names of profiles, where they are known
 */
export interface ProfileCall<Caller extends Identity = Identity, Name extends string = string> {
  readonly decisionId: string;
  readonly decisionVersion: string;
  /** How that version was chosen: `path` where the caller named it. */
  readonly selectedBy: SelectedBy;
  readonly caller: string | undefined;
  readonly request: RequestView<Caller> | undefined;
  /**
   * A named profile of this decision: `strict` is the one under `"<id>#strict"` in `profiles`.
   *
   * @throws DecernError `INTERNAL_ERROR` when there is none of that name
   */
  named(name: Name): unknown;
}

/**
 * Chooses the host's profile for one call, such as that of a tenant. `undefined` takes the default profile. A profile that
 * breaks its schema is the host's error.
 */
export type ProfileResolver<Caller extends Identity = Identity, Name extends string = string> = (
  call: ProfileCall<Caller, Name>,
) => Awaitable<unknown>;

/**
 * How a profile in a call goes together with the host's: it replaces it, or it is merged into it (RFC 7396), or no call may
 * carry one.
 */
export type ProfileOverride = "replace" | "merge" | false;
