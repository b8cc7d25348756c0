import type { Awaitable, Decision, EvaluatorOptions, MappedInput, ProfileInput, Result } from "@decern/core";
import type { Request, Response } from "express";

/** Options of everything that evaluates one decision. */
export interface DecisionOptions<Output, Profile> extends EvaluatorOptions {
  readonly decision: Decision<unknown, Output, Profile>;
  /** A fixed profile, checked at registration. @default `{}` with the schema's defaults */
  readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
  /** Returns the profile for one request, instead of `profile`. */
  readonly profileResolver?: ((request: Request) => Awaitable<NoInfer<ProfileInput<Profile>>>) | undefined;
  /** Returns the decision's input. TypeScript checks it unless its type is `unknown`. @default the request's body */
  readonly inputMapper?: ((request: Request) => unknown) | undefined;
  /** Names who asks, for rules, hooks and observers. @default nobody was asked */
  readonly caller?: ((request: Request) => string | undefined) | undefined;
}

/**
 * Lets TypeScript check what an `inputMapper` returns against the decision's input. {@link DecisionOptions} says `unknown`,
 * so that code can name the options of any decision without naming its input.
 *
 * @typeParam Mapped - inferred from what the mapper returns; `unknown` is left to validation
 */
export interface CheckedInput<Input, Output, Profile, Mapped> {
  readonly decision: Decision<Input, Output, Profile>;
  readonly inputMapper?: ((request: Request) => Awaitable<MappedInput<NoInfer<Input>, Mapped>>) | undefined;
}

/** Options for bodies that the host hasn't parsed. */
export interface BodyOptions {
  /** The largest body to read, in bytes. If the host parses bodies, its own limit applies. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number | undefined;
}

/** Options of {@link createDecisionMiddleware}. */
export interface DecisionMiddlewareOptions<Output, Profile>
  extends DecisionOptions<Output, Profile>,
    BodyOptions {
  /** Runs before the reply. If it sends a reply itself, nothing more is sent. */
  readonly onResult?:
    | ((result: Result<NoInfer<Output>>, request: Request, response: Response) => unknown)
    | undefined;
}

/** Options of {@link createDecisionGuard}. */
export interface DecisionGuardOptions<Output, Profile> extends DecisionOptions<Output, Profile> {
  /**
   * Whether a result denies access. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  readonly isDenied?: ((result: Result<NoInfer<Output>>) => boolean) | undefined;
  /** Runs when access is denied, and may send a reply. @default 403 with `ACCESS_DENIED` */
  readonly onDeny?:
    | ((result: Result<NoInfer<Output>>, request: Request, response: Response) => unknown)
    | undefined;
}
