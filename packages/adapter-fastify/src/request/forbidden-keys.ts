import { DecernError } from "@decern/core";
import { parseJsonBody } from "@decern/core/host";
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from "fastify";

// Fastify's own parser reports forbidden keys as malformed JSON. The plugin has a scope, and so a parser of its own that
// tells them apart. A single route can't have a parser, so that it keeps the text until it is known to be valid.

/**
 * Makes the JSON parser of a scope report forbidden keys as such. If the host has replaced Fastify's JSON parser, the host's
 * stays.
 */
export function nameForbiddenKeys(scope: FastifyInstance): void {
  const { onProtoPoisoning = "error", onConstructorPoisoning = "error" } = scope.initialConfig;
  const parse = scope.getDefaultJsonParser(onProtoPoisoning, onConstructorPoisoning);
  try {
    scope.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) => {
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

declare module "fastify" {
  interface FastifyRequest {
    /** The chunks of a body so far. They are kept here because a WeakMap of requests is expensive to collect. */
    [received]?: Buffer[];
  }
}

/** Route options that keep the text of a JSON body for {@link refusedForForbiddenKey}. */
export const rememberBody = {
  preParsing(request, _reply, payload, done) {
    if (request.headers["content-type"]?.startsWith("application/json")) {
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
      // Listening at once would start the stream, and a later asynchronous `preParsing` hook would miss the body.
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

function hasForbiddenKey(text: string): boolean {
  try {
    parseJsonBody(text);
    return false;
  } catch (error) {
    return error instanceof DecernError && error.code === "FORBIDDEN_KEY";
  }
}
