import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { matchesETag } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A constant reply body: plain and compressed, each with a strong entity tag. */
export interface Body {
  readonly contentType: string;
  readonly plain: Variant;
  readonly gzip: Variant;
}

interface Variant {
  readonly content: Buffer;
  readonly etag: string;
}

/** Compresses and tags a body once, for all replies. */
export function createBody(content: string | Buffer, contentType: string): Body {
  const plain = Buffer.from(content);
  return { contentType, plain: tagged(plain), gzip: tagged(gzipSync(plain, { level: 9 })) };
}

function tagged(content: Buffer): Variant {
  return { content, etag: `"${createHash("sha256").update(content).digest("base64url")}"` };
}

/** Whether a client accepts gzip, by name or by wildcard, with a weight above 0. */
function acceptsGzip(acceptEncoding: string | undefined): boolean {
  let wildcard = false;
  for (const part of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [coding, ...parameters] = part.split(";").map((piece) => piece.trim());
    const wanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === "gzip") return wanted;
    if (coding === "*") wildcard = wanted;
  }
  return wildcard;
}

/** Forbids inline code, other origins, form submission and framing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join("; ");

/** Sent with every reply under `/docs`. */
export const DOCS_HEADERS = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Browsers never send the fragment of a share link. This keeps its path private too.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

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
