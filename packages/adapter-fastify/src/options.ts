import type { Awaitable, Decision, EvaluatorOptions, ProfileInput, Result } from "@decern/core";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * What everything that evaluates one decision takes.
 *
 * @typeParam Request - the host's request type; callbacks are methods, so that a narrower one than Fastify's own may be named
 */
export interface DecisionOptions<Output, Profile, Request extends FastifyRequest = FastifyRequest>
  extends EvaluatorOptions {
  readonly decision: Decision<unknown, Output, Profile>;
  /** A fixed profile, checked at registration. @default `{}` with the schema's defaults */
  readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
  /** The profile of one request, instead of `profile`. */
  profileResolver?(request: Request): Awaitable<NoInfer<ProfileInput<Profile>>>;
  /** The decision's input, checked by TypeScript unless its type is `unknown`. @default the request's body */
  inputMapper?(request: Request): unknown;
}

/** What {@link createDecisionHandler} takes. */
export interface DecisionHandlerOptions<Output, Profile, Request extends FastifyRequest = FastifyRequest>
  extends DecisionOptions<Output, Profile, Request> {
  /** Runs before the reply. When it sends one itself, nothing more is sent. */
  onResult?(result: Result<NoInfer<Output>>, request: Request, reply: FastifyReply): unknown;
}

/** What {@link createDecisionHook} takes. */
export interface DecisionHookOptions<Output, Profile, Request extends FastifyRequest = FastifyRequest>
  extends DecisionOptions<Output, Profile, Request> {
  /**
   * Whether a result denies. Anything but `false` does.
   * @default reads the output's boolean `allowed`, `allow`, `granted`, `permitted` or `approved`
   */
  isDenied?(result: Result<NoInfer<Output>>): boolean;
  /** Runs when access is denied, and may send a reply. @default 403 with `ACCESS_DENIED` */
  onDeny?(result: Result<NoInfer<Output>>, request: Request, reply: FastifyReply): unknown;
}
