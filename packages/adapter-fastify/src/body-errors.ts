import type { ErrorCode } from "@decern/core";
import { errorBody, tableReply } from "@decern/core/host";
import type { FastifyError, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { hasForbiddenKey } from "./has-forbidden-key.js";
import { rememberedBody } from "./remember-body.js";
import { requestIdOf } from "./request-id.js";
import { writeReply } from "./write-reply.js";

/** What Fastify's body parser says, in the words of every other host. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FORBIDDEN_KEY: "FORBIDDEN_KEY",
};

/**
 * Options of a route that make the caller's faults in a body read as everywhere else, and leave every other error to the
 * host. They belong to the route: nothing of them reaches the host's other routes.
 */
export const bodyErrors = {
  errorHandler(error, request, reply) {
    return replyToBodyError(error, request, reply);
  },
} as const satisfies RouteShorthandOptions;

function replyToBodyError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  const known: unknown = typeof error === "object" && error !== null ? error.code : undefined;
  const code = typeof known === "string" && Object.hasOwn(codes, known) ? codes[known] : undefined;
  // A rejection, unlike `send`, passes on what is no Error too.
  if (code === undefined) return Promise.reject(error);
  const forbidden = code === "INVALID_JSON" && hasForbiddenKey(rememberedBody(request));
  const said = tableReply(forbidden ? "FORBIDDEN_KEY" : code);
  return writeReply(reply, said.status, errorBody(said), requestIdOf(request, reply));
}
