import { isUtf8 } from "node:buffer";
import { DecernError, type Origin } from "@decern/core";
import { createOriginReader, parseJsonBody, requestIdFrom } from "@decern/core/host";
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteGenericInterface,
  RouteShorthandOptions,
} from "fastify";

// Fastify's own parser reports forbidden keys as malformed JSON. The plugin has a scope, and so a parser of its own that
// tells them apart, and refuses what isn't UTF-8. A single route can't have a parser, so that it keeps the bytes.

/**
 * Makes the JSON parser of a scope refuse what isn't UTF-8, and report forbidden keys as such. If the host has replaced Fastify's JSON parser, the host's
 * stays.
 */
export function nameForbiddenKeys(scope: FastifyInstance): void {
  const { onProtoPoisoning = "error", onConstructorPoisoning = "error" } = scope.initialConfig;
  const parse = scope.getDefaultJsonParser(onProtoPoisoning, onConstructorPoisoning);
  try {
    scope.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
      if (!isUtf8(bytes)) return done(new DecernError("INVALID_JSON"));
      const text = bytes.toString();
      parse(request, text, (error, value) => {
        done(error !== null && hasForbiddenKey(text) ? new DecernError("FORBIDDEN_KEY") : error, value);
      });
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "FST_ERR_CTP_ALREADY_PRESENT") throw error;
  }
}

const received: unique symbol = Symbol("decern.received-body");
export const failedLater: unique symbol = Symbol("decern.failed-later");

declare module "fastify" {
  interface FastifyRequest {
    /** The chunks of a body so far. They are kept here because a WeakMap of requests is expensive to collect. */
    [received]?: Buffer[];
    /** Set when something failed after the body was read, which then isn't to blame. */
    [failedLater]?: true;
  }
}

/** Route options that keep the bytes of a JSON body for {@link refusedForForbiddenKey} and {@link isNotUtf8}. */
export const rememberBody = {
  preParsing(request, _reply, payload, done) {
    if (/^application\/json/i.test(request.headers["content-type"] ?? "")) {
      const limit = request.routeOptions.bodyLimit;
      const chunks: Buffer[] = [];
      let size = 0;
      const remember = (chunk: unknown): void => {
        if (!Buffer.isBuffer(chunk)) return;
        size += chunk.length;
        if (size <= limit) return void chunks.push(chunk);
        payload.removeListener("data", remember);
        chunks.length = 0;
      };
      // Listening immediately would start the stream, and a later asynchronous `preParsing` hook would miss the body.
      const start = (event: string | symbol): void => {
        if (event !== "data") return;
        payload.removeListener("newListener", start);
        payload.on("data", remember);
      };
      payload.on("newListener", start);
      request[received] = chunks;
    }
    done(null, payload);
  },
} as const satisfies RouteShorthandOptions;

/** Tells whether a body that Fastify's parser refused is well-formed JSON with a forbidden key. */
export function refusedForForbiddenKey(request: FastifyRequest): boolean {
  return hasForbiddenKey(Buffer.concat(request[received] ?? []).toString());
}

/** Tells whether the bytes of a body that Fastify's parser took, if they were kept, are something else than UTF-8. */
export function isNotUtf8({ [received]: chunks }: FastifyRequest): boolean {
  return chunks !== undefined && !isUtf8(Buffer.concat(chunks));
}

function hasForbiddenKey(text: string): boolean {
  try {
    parseJsonBody(text);
    return false;
  } catch (error) {
    return error instanceof DecernError && error.code === "FORBIDDEN_KEY";
  }
}

/** Reads Fastify's request as its router does, after `rewriteUrl`. */
const requestAccess: Parameters<
  typeof createOriginReader<Pick<FastifyRequest, "method" | "url" | "raw" | "ip">>
>[0] = {
  method: (request) => request.method,
  url: (request) => request.url,
  headers: (request) => request.raw.headers,
  ip: (request) => request.ip,
};

/** How a host reads requests. */
export interface Reading<Route extends RouteGenericInterface = RouteGenericInterface> {
  readonly origin: (request: FastifyRequest<Route>) => Origin;
  readonly input: (request: FastifyRequest<Route>) => unknown;
}

/** @param callbacks - of the host. @default the input is the body, and no caller is known */
export function readingOf<Route extends RouteGenericInterface>({
  caller,
  inputMapper = ({ body }) => body,
}: {
  readonly caller?: ((request: FastifyRequest<Route>) => string | undefined) | undefined;
  readonly inputMapper?: ((request: FastifyRequest<Route>) => unknown) | undefined;
}): Reading<Route> {
  return { origin: createOriginReader(requestAccess, caller), input: inputMapper };
}

/** The request's id: the caller's if it is valid, else the one an earlier decision gave this request, else a new one. */
export function requestIdOf(
  request: Pick<FastifyRequest, "headers">,
  reply: Pick<FastifyReply, "getHeader">,
): string {
  return requestIdFrom(request.headers["x-request-id"], reply.getHeader("x-request-id"));
}
