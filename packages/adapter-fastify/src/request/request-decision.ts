import type { Result } from "@decern/core";

declare module "fastify" {
  interface FastifyRequest {
    /** The result of the latest decision evaluated for this request. */
    decision?: Result | undefined;
  }
}
