import type { Awaitable } from "@decern/core";
import type { SecurityDescription } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/** Authenticates a caller, before the body is read. */
export interface Authenticate {
  /**
   * Lets a request in by returning.
   *
   * @returns `false` refuses with 401
   * @throws an error with a `statusCode` from 400 to 499 refuses with that status; anything else is a fault: 500, logged
   */
  (request: FastifyRequest): Awaitable<unknown>;
  /** For the OpenAPI document. */
  readonly security?: SecurityDescription | undefined;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge?: string | undefined;
}
