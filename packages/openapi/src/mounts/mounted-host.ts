import { ERRORS, type ErrorCode } from "@decern/core";
import { schemaRef } from "../components/component-schemas.js";
import {
  callResponses,
  error,
  headers,
  recordIdHeader,
  responseRef,
  unrecorded,
} from "../components/shared-responses.js";
import type { ResponseObject } from "../document/document.js";
import type { CallHost } from "../paths/call-host.js";

/** How the adapters take calls. What the application's own handlers reply is not described here. */
export const mountedHost = (records: boolean): CallHost => ({
  records,
  body: "bare input",
  eitherProfile: true,
  profileNames: () => [],
  responses: (isPinned) => ({
    "400": responseRef("InvalidCall"),
    ...(isPinned ? { "404": responseRef("VersionNotFound"), "410": responseRef("VersionRetired") } : {}),
    "413": responseRef("BodyTooLarge"),
    "415": responseRef("UnsupportedMediaType"),
    "500": responseRef("EvaluationFailed"),
    "503": responseRef("Unavailable"),
    default: responseRef("Refused"),
  }),
});

const unavailable = "A hook timed out, or profiles are not loaded yet.";
const invalidJson: ErrorCode = "INVALID_JSON";

/** The responses of the adapters, by component name. */
export const mountedResponses = (records: boolean): Readonly<Record<string, ResponseObject>> => ({
  ...callResponses(records),
  InvalidCall: {
    description:
      "The input does not match its schema (the body is an envelope with `status`), the body is not valid JSON, or a hook refused the call.",
    headers: headers(recordIdHeader(records)),
    content: {
      "application/json": {
        schema: schemaRef("InvalidCall"),
        example: { error: ERRORS[invalidJson].message, code: invalidJson },
      },
    },
  },
  Unavailable: records ? unrecorded(unavailable) : error("HOOK_TIMEOUT", unavailable),
  Refused: error(
    "EVALUATION_ABORTED",
    "A hook refused the call with its own 4xx status and code.",
    recordIdHeader(records),
  ),
});
