import type {
  Awaitable,
  Decision,
  DecisionSource,
  EvaluatorOptions,
  MappedInput,
  ProfileInput,
  Result,
} from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";

/**
 * Options of everything that evaluates one decision.
 *
 * @typeParam Route - what the route declares about its requests, as in `app.get<Route>`
 * @typeParam Mapped - inferred from what `inputMapper` returns; `unknown` is left to validation
 * @typeParam RuleId - ids of the decision's rules, where they are known
 */
export interface DecisionOptions<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
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
  readonly profileResolver?:
    | ((request: FastifyRequest<Route>) => Awaitable<NoInfer<ProfileInput<Profile>>>)
    | undefined;
  /** Returns the decision's input. TypeScript checks it unless its type is `unknown`. @default the request's body */
  readonly inputMapper?:
    | ((request: FastifyRequest<Route>) => Awaitable<MappedInput<NoInfer<Input>, Mapped>>)
    | undefined;
  /** Returns the caller's name, for rules, hooks and observers. @default no caller */
  readonly caller?: ((request: FastifyRequest<Route>) => string | undefined) | undefined;
}

/** Options of {@link createDecisionHandler}. */
export interface DecisionHandlerOptions<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends DecisionOptions<Output, Profile, Route, Input, Mapped, RuleId> {
  /** Runs before the reply. If it sends a reply itself, nothing more is sent. */
  readonly onResult?:
    | ((
        result: Result<NoInfer<Output>, NoInfer<RuleId>>,
        request: FastifyRequest<Route>,
        reply: FastifyReply<Route>,
      ) => unknown)
    | undefined;
}

/** Options of {@link createDecisionHook}. */
export interface DecisionHookOptions<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends DecisionOptions<Output, Profile, Route, Input, Mapped, RuleId> {
  /**
   * Whether a result denies access. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  readonly isDenied?: ((result: Result<NoInfer<Output>, NoInfer<RuleId>>) => boolean) | undefined;
  /** Runs when access is denied, and may send a reply. @default 403 with `ACCESS_DENIED` */
  readonly onDeny?:
    | ((
        result: Result<NoInfer<Output>, NoInfer<RuleId>>,
        request: FastifyRequest<Route>,
        reply: FastifyReply<Route>,
      ) => unknown)
    | undefined;
}

/** A Fastify handler. Its promise resolves once the reply has been sent. */
export type DecisionHandler<Route extends RouteGenericInterface = RouteGenericInterface> = (
  this: FastifyInstance,
  request: FastifyRequest<Route>,
  reply: FastifyReply<Route>,
) => Promise<void>;

declare module "fastify" {
  interface FastifyRequest {
    /** The result of the latest decision evaluated for this request. */
    decision?: Result | undefined;
  }
}
