import type { ProfileInput } from "@decern/core";

/** Options of one call, whatever it sends. */
export interface SendOptions {
  /** Of several versions of a decision, the one to use. By default the service chooses. */
  readonly version?: string | undefined;
  /** Ends the call with the code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `x-request-id`: 1 to 128 of `A-Z a-z 0-9 . _ -`. By default the service chooses one. */
  readonly requestId?: string | undefined;
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the client's `retries`. */
  readonly retries?: number | undefined;
}

/** Options of one call. A service takes a profile or the name of one, and may forbid either. */
export type CallOptions<Profile = unknown> = SendOptions &
  (
    | {
        /** Used instead of the service's profile. */
        readonly profile?: ProfileInput<Profile> | undefined;
        readonly profileName?: undefined;
      }
    | {
        readonly profile?: undefined;
        /** One of the profiles that the service offers in `callerProfiles`. */
        readonly profileName: string;
      }
  );
