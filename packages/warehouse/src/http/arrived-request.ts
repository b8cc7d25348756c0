import type { IncomingMessage } from "node:http";
import type { Identity } from "@decern/core";
import { createOriginReader } from "@decern/core/host";

/** An HTTP request, whichever framework received it. */
export interface ArrivedRequest {
  readonly raw: IncomingMessage;
  /** Path and query, as the caller sent them. */
  readonly url: string;
  /** The address of the caller, as the framework's proxy settings see it. */
  readonly ip: string | undefined;
  /** Set once somebody has let it in. */
  identity: Identity | undefined;
}

/** Tells which request asks. */
export const originOf = createOriginReader<ArrivedRequest>(
  {
    method: ({ raw }) => raw.method ?? "POST",
    url: ({ url }) => url,
    headers: ({ raw }) => raw.headers,
    ip: ({ ip }) => ip,
    identity: ({ identity }) => identity,
  },
  ({ identity }) => identity?.caller,
);
