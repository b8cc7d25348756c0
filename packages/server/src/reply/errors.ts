import { DecernError, type ErrorCode, type ErrorReply, type Logger } from "@decern/core";
import { tableReply, toErrorReply } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorCode } from "../base/values.js";
import { sendError } from "./send.js";

/** What the errors of Node's parser and of Fastify are called in the error table. */
const codes: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["HPE_HEADER_OVERFLOW", "HEADERS_TOO_LARGE"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "REQUEST_TIMEOUT"],
  ["FST_ERR_CTP_BODY_TOO_LARGE", "BODY_TOO_LARGE"],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE"],
  ["FST_ERR_CTP_EMPTY_JSON_BODY", "INVALID_JSON"],
  ["FST_ERR_CTP_INVALID_JSON_BODY", "INVALID_JSON"],
  ["FST_ERR_MAX_PARAM_LENGTH", "URI_TOO_LONG"],
  ["FST_ERR_NOT_FOUND", "ROUTE_NOT_FOUND"],
]);

/** The code of the error table for an error of Node's parser or of Fastify; absent where the table has none. */
export function foreignErrorCode(error: unknown): ErrorCode | undefined {
  return codes.get(errorCode(error));
}

/** Makes the one place that turns a thrown value into a reply. It logs errors and masks them. */
export function createErrorHandler(logger: Logger) {
  // A logger that throws must not change the reply.
  const safe = neverThrowing(logger);
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const masked = errorReply(error);
    if (masked.status >= 500) logFault(safe, error, request);
    sendError(reply, masked);
  };
}

/** Logs what the caller is not told. @param logger - one that never throws */
function logFault(logger: Logger, error: unknown, request: FastifyRequest): void {
  const { id: requestId, method, routeOptions } = request;
  logger.error({ err: readable(error), requestId, method, route: routeOptions.url }, "Request failed");
}

/** The reply for any thrown value, including one whose properties throw. */
export function errorReply(error: unknown): ErrorReply {
  try {
    return read(error);
  } catch {
    return tableReply("INTERNAL_ERROR");
  }
}

function read(error: unknown): ErrorReply {
  if (error instanceof DecernError) return toErrorReply(error);
  if (!(error instanceof Error)) return tableReply("INTERNAL_ERROR");
  const code = foreignErrorCode(error);
  if (code !== undefined) return tableReply(code);
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 499) {
    return tableReply("INTERNAL_ERROR");
  }
  const badRequest = { ...tableReply("BAD_REQUEST"), status };
  // Fastify's messages reveal internals. Messages from a host's own routes are meant for the caller.
  return isFastifys(error) ? badRequest : refusal(error, badRequest);
}

function isFastifys(error: Error): boolean {
  const code = errorCode(error);
  return typeof code === "string" && code.startsWith("FST_");
}

/** A host's route refuses a request as a hook refuses an evaluation, so core reads the error: its code and its message. */
function refusal(error: Error, fallback: ErrorReply): ErrorReply {
  const said = toErrorReply(
    new DecernError("EVALUATION_ABORTED", { statusCode: fallback.status, cause: error }),
  );
  return {
    status: fallback.status,
    code: said.code === "EVALUATION_ABORTED" ? fallback.code : said.code,
    message: typeof error.message === "string" && error.message !== "" ? said.message : fallback.message,
  };
}
