import type { Awaitable } from "../awaitable.js";
import type { Identity, RequestView, SelectedBy } from "../hooks/request-view.js";

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
 * breaks its schema is the host's fault.
 */
export type ProfileResolver<Caller extends Identity = Identity, Name extends string = string> = (
  call: ProfileCall<Caller, Name>,
) => Awaitable<unknown>;

/**
 * How a profile in a call goes together with the host's: it replaces it, or it is merged into it (RFC 7396), or no call may
 * carry one.
 */
export type ProfileOverride = "replace" | "merge" | false;

/** The profile that a caller sent. */
export interface SentProfile {
  /** Absent where the call has none; present is present, also when it is null or false. */
  readonly profile?: unknown;
  /** Names one of the profiles that the host lets callers choose. */
  readonly name?: unknown;
  /** Whether it is that of many calls. Then nothing else may hold the profile, which gets frozen. @default false */
  readonly isShared?: boolean;
}
