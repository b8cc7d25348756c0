import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import { matchesETag } from "@decern/core/host";
import type { FastifyReply, FastifyRequest, onSendHookHandler } from "fastify";
import { strongETag } from "../reply/send.js";

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
  return { content, etag: strongETag(content) };
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
  "worker-src 'self'",
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
  reply.headers(DOCS_HEADERS).header("cache-control", cacheControl);
  const content = choose(request, reply, body);
  if (content === undefined) return reply.code(304).send();
  return reply.type(body.contentType).send(content);
}

/** Tells caches that the reply depends on what the client takes. */
function vary(reply: FastifyReply): void {
  const others = reply.getHeader("vary");
  reply.header("vary", others === undefined ? "accept-encoding" : `${others}, accept-encoding`);
}

/** Sets the headers of the variant that the client takes. Returns nothing where the client already has it. */
function choose({ headers }: FastifyRequest, reply: FastifyReply, body: Body): Buffer | undefined {
  const compressed = acceptsGzip(headers["accept-encoding"]);
  const { content, etag } = compressed ? body.gzip : body.plain;
  vary(reply);
  reply.header("etag", etag);
  if (matchesETag(headers["if-none-match"], etag)) return undefined;
  if (compressed) reply.header("content-encoding", "gzip");
  return content;
}

const compress = promisify(gzip);

/**
 * Makes what compresses a route's document, which is always the same, where the client takes that. The document may be long, so
 * it is compressed on the first request, in a thread of its own.
 */
export function compressing(): onSendHookHandler {
  let made: { readonly text: string; readonly body: Promise<Body> } | undefined;
  return async (request, reply, payload) => {
    if (reply.statusCode === 304) vary(reply);
    if (reply.statusCode !== 200 || typeof payload !== "string") return payload;
    if (made?.text !== payload) made = { text: payload, body: compressedBody(payload) };
    const content = choose(request, reply, await made.body);
    if (content !== undefined) return content;
    reply.code(304).removeHeader("content-type");
    // The hook that counts the bytes of a `HEAD` reply requires some text.
    return request.method === "HEAD" ? "" : null;
  };
}

/** As {@link createBody}, for a long text: in a thread of its own. */
export async function compressedBody(text: string, contentType = ""): Promise<Body> {
  const plain = Buffer.from(text);
  return { contentType, plain: tagged(plain), gzip: tagged(await compress(plain)) };
}
