import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ErrorReply } from "@decern/core";
import { errorBody, type MountedRoute, matchesETag } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Content type of every JSON reply, spelled as Fastify does, so Fastify does not parse it again. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.code(status).header("content-type", JSON_TYPE).send(text);
}

/** Sends JSON text in pieces, as they are: joined to one string, a long reply costs more than its evaluations. */
export function sendPieces(reply: FastifyReply, pieces: readonly string[]): void {
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  // All together, not through an iterator: that would spread one reply over many turns.
  const text = new Readable({
    objectMode: true,
    read() {
      for (const piece of pieces) this.push(piece);
      this.push(null);
    },
  });
  reply.code(200).header("content-type", JSON_TYPE).header("content-length", bytes).send(text);
}

/**
 * Sends an error of the table, in the form of the protocol whose path was asked for. A 503 says when to try again.
 *
 * @param facade - whose path it is. @default that of the route
 */
export function sendError(
  reply: FastifyReply,
  error: ErrorReply,
  facade: MountedRoute | undefined = reply.request.routeOptions.config?.decern?.facade,
): void {
  if (error.status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", "1");
  if (facade === undefined) {
    sendJson(reply, error.status, errorBody(error));
    return;
  }
  const { id: requestId, headers } = reply.request;
  sendAnswer(reply, facade.refuse(error, { requestId, headers, rest: restOf(reply.request) }));
}

/** Sends what a facade returns. */
export function sendAnswer(
  reply: FastifyReply,
  { status, body, headers, afterwards }: ReturnType<MountedRoute["refuse"]>,
): FastifyReply {
  const response = reply.raw;
  reply.code(status).headers(headers);
  if (body !== undefined && headers["content-type"] === undefined) reply.header("content-type", JSON_TYPE);
  if (response.closed) setImmediate(afterwards);
  else response.once("close", afterwards);
  return reply.send(body);
}

/** What a path has in the place of its wildcard. */
export function restOf({ params }: FastifyRequest): string | undefined {
  const rest: unknown = typeof params === "object" && params !== null ? Reflect.get(params, "*") : undefined;
  return typeof rest === "string" ? rest : undefined;
}

/** A strong validator: equal only for equal content. */
export function strongETag(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url")}"`;
}

const nothing = (): undefined => undefined;

/** A JSON document that never changes. It is serialised on the first request, and then forgets what it was made of. */
export class CachedDocument {
  #build: () => unknown;
  #written: { readonly text: string; readonly etag: string } | undefined;

  constructor(build: () => unknown) {
    this.#build = build;
  }

  /** Sends the document, or 304 if the client already has it. */
  send(request: FastifyRequest, reply: FastifyReply): void {
    const { status, headers, body } = this.replyTo(request.headers["if-none-match"]);
    reply.headers(headers);
    if (body === undefined) reply.code(status).send();
    else sendJson(reply, status, body);
  }

  /** @param known - the validators that the client has, as `If-None-Match` names them */
  replyTo(known: unknown) {
    const { text, etag } = this.#write();
    const headers = { etag, "cache-control": "no-cache" };
    return typeof known === "string" && matchesETag(known, etag)
      ? { status: 304, headers, body: undefined }
      : { status: 200, headers, body: text };
  }

  #write(): { readonly text: string; readonly etag: string } {
    if (this.#written === undefined) {
      const text = JSON.stringify(this.#build());
      this.#written = { text, etag: strongETag(text) };
      this.#build = nothing;
    }
    return this.#written;
  }
}

/**
 * Sent with every reply. Pages replace the policy with one that allows their own files, and what may be cached says so. Caches may
 * keep even errors that say nothing, such as a 404.
 */
const security = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
} as const;

const exposed = "x-request-id, etag, retry-after";

/** What replies may have. */
interface ReplyKinds {
  /** The headers of a deprecated version. */
  readonly deprecates: boolean;
  /** The id of a record. */
  readonly records: boolean;
}

/** The headers that every reply has. */
export function staticHeaders(
  withCors: boolean,
  { deprecates, records }: ReplyKinds,
): Readonly<Record<string, string>> {
  if (!withCors) return security;
  const more = [
    ...(deprecates ? ["deprecation, sunset, link"] : []),
    ...(records ? ["decern-record-id"] : []),
  ];
  return {
    ...security,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": [exposed, ...more].join(", "),
  };
}
