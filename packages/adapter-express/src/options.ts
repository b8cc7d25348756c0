import type {
  Awaitable,
  Decision,
  DecisionSource,
  EvaluatorOptions,
  MappedInput,
  ProfileInput,
  Result,
} from "@decern/core";
import type { NextFunction, Request, Response } from "express";

/**
 * Options of everything that evaluates one decision.
 *
 * @typeParam Mapped - inferred from what `inputMapper` returns; `unknown` is left to validation
 * @typeParam RuleId - ids of the decision's rules, where they are known
 */
export interface DecisionOptions<
  Output,
  Profile,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends EvaluatorOptions {
  /** Or [`watchDecisions(…)`](https://github.com/decern/decern/blob/main/docs/live-decisions.md) of `@decern/watch` with one contract. */
  readonly decision:
    | Decision<Input, Output, Profile, string, RuleId>
    | DecisionSource<Decision<Input, Output, Profile, string, RuleId>>;
  /** A fixed profile, checked at registration. @default `{}` with the schema's defaults */
  readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
  /** Returns the profile for one request, instead of `profile`. */
  readonly profileResolver?: ((request: Request) => Awaitable<NoInfer<ProfileInput<Profile>>>) | undefined;
  /** Returns the decision's input. TypeScript checks it unless its type is `unknown`. @default the request's body */
  readonly inputMapper?: ((request: Request) => Awaitable<MappedInput<NoInfer<Input>, Mapped>>) | undefined;
  /** Returns the caller's name, for rules, hooks and observers. @default no caller */
  readonly caller?: ((request: Request) => string | undefined) | undefined;
}

/** Options for bodies that the host hasn't parsed. */
export interface BodyOptions {
  /** The largest body to read, in bytes. If the host parses bodies, its own limit applies. @default 1048576 (1 MiB) */
  readonly bodyLimit?: number | undefined;
}

/** Options of {@link createDecisionMiddleware}. */
export interface DecisionMiddlewareOptions<
  Output,
  Profile,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends DecisionOptions<Output, Profile, Input, Mapped, RuleId>,
    BodyOptions {
  /** Runs before the reply. If it sends a reply itself, nothing more is sent. */
  readonly onResult?:
    | ((result: Result<NoInfer<Output>, NoInfer<RuleId>>, request: Request, response: Response) => unknown)
    | undefined;
}

/** Options of {@link createDecisionGuard}. */
export interface DecisionGuardOptions<
  Output,
  Profile,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends DecisionOptions<Output, Profile, Input, Mapped, RuleId> {
  /**
   * Whether a result denies access. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  readonly isDenied?: ((result: Result<NoInfer<Output>, NoInfer<RuleId>>) => boolean) | undefined;
  /** Runs when access is denied, and may send a reply. @default 403 with `ACCESS_DENIED` */
  readonly onDeny?:
    | ((result: Result<NoInfer<Output>, NoInfer<RuleId>>, request: Request, response: Response) => unknown)
    | undefined;
}

/** An Express middleware that lets its route infer the types of its parameters. */
export type DecisionRequestHandler = <Params extends Request["params"]>(
  request: Request<Params>,
  response: Response,
  next: NextFunction,
) => void;

declare global {
  namespace Express {
    interface Request {
      /** The result of the latest decision evaluated for this request. */
      decision?: Result | undefined;
    }
  }
}
