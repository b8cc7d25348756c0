import { type ErrorCode, errorBody, tableReply } from "@decern/core";
import type { FastifyError, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { requestIdOf } from "./request-id.js";
import { writeReply } from "./write-reply.js";

/** What Fastify's body parser says, in the words of every other host. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
};

const bodies = new WeakMap<FastifyRequest, Buffer[]>();

/**
 * Options of a route that make the caller's faults in a body read as everywhere else, and leave every other error to the
 * host. They belong to the route: nothing of them reaches the host's other routes.
 */
export const bodyErrors = {
  preParsing(request, _reply, payload, done) {
    // Fastify does not tell a forbidden key from malformed JSON. The text does, should it come to that.
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
      bodies.set(request, chunks);
    }
    done(null, payload);
  },
  errorHandler(error, request, reply) {
    return replyToBodyError(error, request, reply);
  },
} as const satisfies RouteShorthandOptions;

function replyToBodyError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  const known: unknown = typeof error === "object" && error !== null ? error.code : undefined;
  const code = typeof known === "string" && Object.hasOwn(codes, known) ? codes[known] : undefined;
  // A rejection, unlike `send`, passes on what is no Error too.
  if (code === undefined) return Promise.reject(error);
  const said = tableReply(code === "INVALID_JSON" && isJson(request) ? "FORBIDDEN_KEY" : code);
  return writeReply(reply, said.status, errorBody(said), requestIdOf(request, reply));
}

function isJson(request: FastifyRequest): boolean {
  const text = Buffer.concat(bodies.get(request) ?? []).toString();
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
