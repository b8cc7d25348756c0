import type { FastifyReply, RouteGenericInterface } from "fastify";

/** What to send. */
interface JsonReply {
  readonly status: number;
  /** Serialised by Fastify, so that the host's response schemas, serializers and `preSerialization` hooks apply to it. */
  readonly payload: object;
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends a reply in JSON. */
export function sendReply<Route extends RouteGenericInterface>(
  reply: FastifyReply<Route>,
  { status, payload, requestId, headers = {} }: JsonReply,
): void {
  const untyped: Pick<FastifyReply, "code" | "getHeader" | "hasHeader" | "header" | "send"> = reply;
  untyped.code(status);
  for (const [name, value] of Object.entries(headers)) {
    // The host may have links of its own.
    const earlier = name === "link" ? untyped.getHeader(name) : undefined;
    untyped.header(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  // The host may have said otherwise.
  if (!untyped.hasHeader("cache-control")) untyped.header("cache-control", "no-store");
  untyped.header("x-request-id", requestId);
  untyped.header("content-type", "application/json; charset=utf-8");
  untyped.send(payload);
}
