import { DecernError, type ErrorCode } from "@decern/core";
import { errorBody, isUtf8Type, tableReply } from "@decern/core/host";
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  RouteGenericInterface,
  RouteShorthandOptions,
} from "fastify";
import { failedLater, refusedForForbiddenKey, requestIdOf } from "./request.js";

/** What to send. */
interface JsonReply {
  readonly status: number;
  /** Serialised by Fastify, so that the host's response schemas, serializers and `preSerialization` hooks apply to it. */
  readonly payload: object;
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends a reply in JSON. */
export function sendReply<Route extends RouteGenericInterface>(
  reply: FastifyReply<Route>,
  { status, payload, requestId, headers = {} }: JsonReply,
): void {
  const untyped: Pick<FastifyReply, "code" | "getHeader" | "hasHeader" | "header" | "send"> = reply;
  untyped.code(status);
  for (const [name, value] of Object.entries(headers)) {
    // The host may have links of its own.
    const earlier = name === "link" ? untyped.getHeader(name) : undefined;
    untyped.header(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  // The host may have said otherwise.
  if (!untyped.hasHeader("cache-control")) untyped.header("cache-control", "no-store");
  untyped.header("x-request-id", requestId);
  untyped.header("content-type", "application/json; charset=utf-8");
  untyped.send(payload);
}

/** The codes of Fastify's body parser, and the codes that every Decern host uses for the same problems. */
const codes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_JSON_BODY: "INVALID_JSON",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
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
  if (request[failedLater] === true) return undefined;
  // The plugin's own parser throws these.
  if (error instanceof DecernError && (error.code === "INVALID_JSON" || error.code === "FORBIDDEN_KEY"))
    return isUtf8Type(request.headers["content-type"]) ? error.code : "UNSUPPORTED_MEDIA_TYPE";
  const known = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const code = typeof known === "string" && Object.hasOwn(codes, known) ? codes[known] : undefined;
  if (code !== "INVALID_JSON") return code;
  if (!isUtf8Type(request.headers["content-type"])) return "UNSUPPORTED_MEDIA_TYPE";
  return refusedForForbiddenKey(request) ? "FORBIDDEN_KEY" : code;
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
