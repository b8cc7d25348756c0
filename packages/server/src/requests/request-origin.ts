import { createOriginReader } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/** Tells who asks, and with which request. */
export const originOf = createOriginReader<FastifyRequest>(
  {
    method: ({ method }) => method,
    url: ({ url }) => url,
    headers: ({ headers }) => headers,
    ip: ({ ip }) => ip,
    identity: ({ decernIdentity }) => decernIdentity,
  },
  ({ decernIdentity }) => decernIdentity?.caller,
);
