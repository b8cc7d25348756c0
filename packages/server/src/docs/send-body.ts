import { matchesETag } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DOCS_HEADERS } from "./docs-headers.js";
import { acceptsGzip, type Body } from "./encoded-body.js";

/** For what changes with a new release or new profiles. */
export const revalidate = "no-cache";

/** Sends a constant body of a page, compressed where the client takes that, or 304 if the client already has it. */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  cacheControl: string,
): FastifyReply {
  const compressed = acceptsGzip(request.headers["accept-encoding"]);
  const { content, etag } = compressed ? body.gzip : body.plain;
  const vary = reply.getHeader("vary");
  reply.headers(DOCS_HEADERS).headers({
    "cache-control": cacheControl,
    etag,
    vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`,
  });
  if (matchesETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (compressed) reply.header("content-encoding", "gzip");
  return reply.type(body.contentType).send(content);
}
