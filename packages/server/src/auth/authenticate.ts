import type { Awaitable } from "@decern/core";
import type { SecurityDescription } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/** Asks a caller who they are, before anything else is done. */
export interface Authenticate {
  /**
   * Lets a request in by returning.
   *
   * @returns `false` refuses with 401
   * @throws what carries a `statusCode` of 400 to 499 refuses with it; whatever else is thrown is a fault: 500, logged
   */
  (request: FastifyRequest): Awaitable<unknown>;
  /** For the OpenAPI document. */
  readonly security?: SecurityDescription | undefined;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge?: string | undefined;
}
