import type { Awaitable, Identity } from "@decern/core";
import type { SecurityDescription } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/**
 * Authenticates a caller, before the body is read.
 *
 * @typeParam Caller - inferred from what it returns for those it lets in; callbacks then see that type as `request.identity`
 */
export interface Authenticate<Caller extends Identity = Identity> {
  /**
   * Decides whether a request is let in.
   *
   * @returns `true`, or who calls: hooks, observers, rules, `profileResolver` and `select` then see the caller. Everything else
   *   refuses with 401, also what JavaScript returns when a `return` was forgotten.
   * @throws an error with a `statusCode` from 400 to 499 refuses with that status; anything else is a fault: 500, logged
   */
  (request: FastifyRequest): Awaitable<boolean | Caller>;
  /** For the OpenAPI document. */
  readonly security?: SecurityDescription | undefined;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge?: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls, where `authenticate` returned an identity. */
    decernIdentity: Identity | undefined;
  }
}
