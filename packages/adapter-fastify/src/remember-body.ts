import type { FastifyRequest, RouteShorthandOptions } from "fastify";

const received: unique symbol = Symbol("decern.received-body");

declare module "fastify" {
  interface FastifyRequest {
    /** What has arrived of a body. Kept here, because a WeakMap of requests keeps the garbage collector busy. */
    [received]?: Buffer[];
  }
}

/**
 * Options of a route that has no parser of its own: its text tells a forbidden key from malformed JSON, which Fastify
 * does not, should it come to that.
 */
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
      payload.on("data", remember);
      request[received] = chunks;
    }
    done(null, payload);
  },
} as const satisfies RouteShorthandOptions;

/** The text of a request's body; empty when it was not remembered. */
export function rememberedBody(request: FastifyRequest): string {
  return Buffer.concat(request[received] ?? []).toString();
}
