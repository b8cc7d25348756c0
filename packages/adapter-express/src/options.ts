import type { Awaitable, Decision, EvaluatorOptions, ProfileInput, Result } from "@decern/core";
import type { Request, Response } from "express";

/**
 * What everything that evaluates one decision takes.
 *
 * @typeParam Req - the host's request type; callbacks are methods, so that a narrower one than Express's own may be named
 */
export interface DecisionOptions<Output, Profile, Req extends Request = Request> extends EvaluatorOptions {
  readonly decision: Decision<unknown, Output, Profile>;
  /** A fixed profile, checked at registration. @default `{}` with the schema's defaults */
  readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
  /** The profile of one request, instead of `profile`. */
  profileResolver?(request: Req): Awaitable<NoInfer<ProfileInput<Profile>>>;
  /** The decision's input, checked by TypeScript unless its type is `unknown`. @default the request's body */
  inputMapper?(request: Req): unknown;
}

/** What parses a body that the host has not parsed. */
export interface BodyOptions {
  /** The longest body that is read, in bytes; where the host parses, its own limit holds. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number | undefined;
}

/** What {@link createDecisionMiddleware} takes. */
export interface DecisionMiddlewareOptions<Output, Profile, Req extends Request = Request>
  extends DecisionOptions<Output, Profile, Req>,
    BodyOptions {
  /** Runs before the reply. When it sends one itself, nothing more is sent. */
  onResult?(result: Result<NoInfer<Output>>, request: Req, response: Response): unknown;
}

/** What {@link createDecisionGuard} takes. */
export interface DecisionGuardOptions<Output, Profile, Req extends Request = Request>
  extends DecisionOptions<Output, Profile, Req> {
  /**
   * Whether a result denies. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  isDenied?(result: Result<NoInfer<Output>>): boolean;
  /** Runs when access is denied, and may send a reply. @default 403 with `ACCESS_DENIED` */
  onDeny?(result: Result<NoInfer<Output>>, request: Req, response: Response): unknown;
}
