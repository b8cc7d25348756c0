import { DecernError, type ErrorCode, type Logger } from "@decern/core";
import { type ErrorReply, neverThrowing, readable, tableReply, toErrorReply } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "./send.js";

/** The codes of the error table for Fastify's errors. */
const codes: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["FST_ERR_CTP_BODY_TOO_LARGE", "BODY_TOO_LARGE"],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE"],
  ["FST_ERR_CTP_EMPTY_JSON_BODY", "INVALID_JSON"],
  ["FST_ERR_CTP_INVALID_JSON_BODY", "INVALID_JSON"],
  ["FST_ERR_MAX_PARAM_LENGTH", "URI_TOO_LONG"],
  ["FST_ERR_NOT_FOUND", "ROUTE_NOT_FOUND"],
]);

const codePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Makes the one place that turns a thrown value into a reply. It logs faults and masks them. */
export function createErrorHandler(logger: Logger) {
  // A logger that throws must not change the reply.
  const safe = neverThrowing(logger);
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const masked = errorReply(error);
    if (masked.status >= 500) {
      const { id: requestId, method, routeOptions } = request;
      const err = readable(error);
      safe.error({ err, requestId, method, route: routeOptions.url }, "Request failed");
    }
    sendError(reply, masked);
  };
}

/** The reply for any thrown value, including one whose properties throw. */
function errorReply(error: unknown): ErrorReply {
  try {
    return read(error);
  } catch {
    return tableReply("INTERNAL_ERROR");
  }
}

function read(error: unknown): ErrorReply {
  if (error instanceof DecernError) return toErrorReply(error);
  if (!(error instanceof Error)) return tableReply("INTERNAL_ERROR");
  const thrownCode = "code" in error ? error.code : undefined;
  const code = codes.get(thrownCode);
  if (code !== undefined) return tableReply(code);
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 499) {
    return tableReply("INTERNAL_ERROR");
  }
  // Fastify's messages reveal internals. Messages from a host's own routes are meant for the caller.
  if (typeof thrownCode === "string" && thrownCode.startsWith("FST_")) {
    return { ...tableReply("BAD_REQUEST"), status };
  }
  return {
    status,
    code: typeof thrownCode === "string" && codePattern.test(thrownCode) ? thrownCode : "BAD_REQUEST",
    message: error.message === "" ? "Bad request" : error.message,
  };
}
