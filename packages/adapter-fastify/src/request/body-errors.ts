import type { ErrorCode } from "@decern/core";
import { errorBody, isUtf8Type, tableReply } from "@decern/core/host";
import type { FastifyError, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { sendReply } from "../reply/send-reply.js";
import { refusedForForbiddenKey } from "./forbidden-keys.js";
import { requestIdOf } from "./request-id.js";

/** The codes of Fastify's body parser, and the codes that every Decern host uses for the same problems. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  INVALID_JSON: "INVALID_JSON",
  FORBIDDEN_KEY: "FORBIDDEN_KEY",
};

/**
 * Route options that reply to a caller's bad body as every Decern host does, and leave every other error to the host. They
 * apply to one route only, so that the host's other routes don't change.
 */
export const bodyErrors = {
  errorHandler(error, request, reply) {
    return replyToBodyError(error, request, reply);
  },
} as const satisfies RouteShorthandOptions;

/** What is wrong with the caller's body; `undefined` for any other error. */
export function bodyProblem(error: unknown, request: FastifyRequest): ErrorCode | undefined {
  const known = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const code = typeof known === "string" && Object.hasOwn(codes, known) ? codes[known] : undefined;
  if ((code === "INVALID_JSON" || code === "FORBIDDEN_KEY") && !isUtf8Type(request.headers["content-type"]))
    return "UNSUPPORTED_MEDIA_TYPE";
  return code === "INVALID_JSON" && refusedForForbiddenKey(request) ? "FORBIDDEN_KEY" : code;
}

function replyToBodyError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
  const problem = bodyProblem(error, request);
  // A rejection, unlike `send`, also passes on values that aren't errors.
  if (problem === undefined) return Promise.reject(error);
  const refusal = tableReply(problem);
  const payload: object = JSON.parse(errorBody(refusal));
  sendReply(reply, { status: refusal.status, payload, requestId: requestIdOf(request, reply) });
  return reply;
}
