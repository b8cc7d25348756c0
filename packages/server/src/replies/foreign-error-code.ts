import type { ErrorCode } from "@decern/core";
import { errorCode } from "../error-code.js";

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
