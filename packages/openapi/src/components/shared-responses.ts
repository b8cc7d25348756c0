import { ERRORS, type ErrorCode } from "@decern/core";
import { type ServiceDescription, tableReply } from "@decern/core/host";
import type {
  Content,
  HeaderObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
} from "../document/document.js";
import { schemaRef } from "./component-schemas.js";

/** A reference to a response component. */
export function responseRef(name: string): ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

function headerRef(name: string): ReferenceObject {
  return { $ref: `#/components/headers/${name}` };
}

/** A reference to a parameter component. */
export function parameterRef(name: string): ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

const requestId = { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" };

/** The headers that responses share, by component name. */
export function sharedHeaders(service: ServiceDescription): Readonly<Record<string, HeaderObject>> {
  return {
    ...plainHeaders,
    ...(service.security === undefined ? {} : { Challenge: challenge }),
    ...(service.records === true ? { RecordId: recordId } : {}),
  };
}

const recordId: HeaderObject = {
  description: "The id of the record of this call. Absent where the call is not in the sample.",
  schema: { type: "string", format: "uuid" },
};

const retryAfter: HeaderObject = {
  description: "Seconds to wait before trying again.",
  schema: { type: "string" },
};

/** The headers of replies to calls that are recorded, by component name. */
export const recordHeaders: Readonly<Record<string, HeaderObject>> = {
  RecordId: recordId,
  RetryAfter: retryAfter,
};

/** The header with the id of a record, if calls are recorded: component names by header. */
export function recordIdHeader(records: boolean): Readonly<Record<string, string>> {
  return records ? { "decern-record-id": "RecordId" } : {};
}

const challenge: HeaderObject = { description: "How to authenticate.", schema: { type: "string" } };

/** The header that every reply to a call has, by component name. */
export const replyHeaders: Readonly<Record<string, HeaderObject>> = {
  RequestId: {
    description: "The id of this request in hooks, logs and events.",
    required: true,
    schema: requestId,
  },
};

const plainHeaders: Readonly<Record<string, HeaderObject>> = {
  ...replyHeaders,
  ETag: { description: "Changes whenever the body changes.", required: true, schema: { type: "string" } },
  Allow: { description: "The methods that this path supports.", required: true, schema: { type: "string" } },
  RetryAfter: retryAfter,
};

/** The parameter that every call has, by component name. */
export const callParameters: Readonly<Record<string, ParameterObject>> = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    description: "The id of this request. The server sends it back, and generates one if it is absent.",
    schema: requestId,
  },
};

/** The parameters that the standalone server's operations share, by component name. */
export const sharedParameters: Readonly<Record<string, ParameterObject>> = {
  ...callParameters,
  IfNoneMatch: {
    name: "if-none-match",
    in: "header",
    description:
      "An `ETag` from an earlier response. If the resource has not changed, the response is 304 without a body.",
    schema: { type: "string" },
  },
  DecisionId: {
    name: "id",
    in: "path",
    description: "The id of the decision.",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9._~-]{1,100}$" },
  },
};

/** The headers that each response has: the request id, and those named. */
export function headers(more: Readonly<Record<string, string>> = {}): NonNullable<ResponseObject["headers"]> {
  return {
    "x-request-id": headerRef("RequestId"),
    ...Object.fromEntries(Object.entries(more).map(([header, name]) => [header, headerRef(name)])),
  };
}

/** The content of a response with an error. */
function errorContent(code: ErrorCode, detail?: string): Content {
  const { message } = tableReply(code, detail);
  return { "application/json": { schema: schemaRef("Error"), example: { error: message, code } } };
}

/** A response with an error. */
export function error(
  code: ErrorCode,
  description: string,
  more?: Readonly<Record<string, string>>,
): ResponseObject {
  return { description, headers: headers(more), content: errorContent(code) };
}

/** A response with an error whose message names something, such as an id. */
function errorAbout(name: string, code: ErrorCode, description: string): ResponseObject {
  return { description, headers: headers(), content: errorContent(code, name) };
}

/**
 * The responses to calls that are the same in every host, by component name.
 *
 * @param records - whether calls are recorded
 */
export function callResponses(records: boolean): Readonly<Record<string, ResponseObject>> {
  return {
    BodyTooLarge: error("BODY_TOO_LARGE", "The body is larger than the server accepts."),
    UnsupportedMediaType: error("UNSUPPORTED_MEDIA_TYPE", "The `content-type` is not JSON."),
    EvaluationFailed: error("EVALUATION_FAILED", "The decision or a hook failed.", recordIdHeader(records)),
  };
}

/** The 503 to a call, where calls are recorded. */
export function unrecorded(description: string): ResponseObject {
  return error("RECORD_UNAVAILABLE", `The call cannot be recorded. Or: ${description}`, {
    "retry-after": "RetryAfter",
  });
}

/** The responses that the standalone server's routes share, by component name. */
export function sharedResponses(service: ServiceDescription): Readonly<Record<string, ResponseObject>> {
  const records = service.records === true;
  const unavailable =
    service.sheddingLoad === true
      ? "The server is closing or overloaded, or a hook timed out."
      : "The server is closing, or a hook timed out.";
  return {
    ...callResponses(records),
    ...(records ? { CallUnavailable: unrecorded(unavailable) } : {}),
    NotModified: {
      description: "The resource has not changed.",
      headers: headers({ etag: "ETag" }),
    },
    InvalidCall: {
      description:
        "The input or the profile does not match its schema (the body is an envelope with `status`), `input` is missing, the body is not valid JSON, or a hook refused the call.",
      headers: headers(recordIdHeader(records)),
      content: {
        "application/json": {
          schema: schemaRef("InvalidCall"),
          example: { error: ERRORS.MISSING_INPUT.message },
        },
      },
    },
    BadRequest: error("BAD_REQUEST", "The request is malformed."),
    ...(service.security === undefined
      ? {}
      : {
          Unauthorized: error("UNAUTHORIZED", "The caller is not authenticated.", {
            "www-authenticate": "Challenge",
          }),
        }),
    Forbidden:
      service.profileOverride === false
        ? error("PROFILE_OVERRIDE_FORBIDDEN", "The body has a profile, or the caller is not authorized.")
        : error("ACCESS_DENIED", forbidden(service)),
    DecisionNotFound: errorAbout("some-id", "DECISION_NOT_FOUND", "No decision has this id."),
    MethodNotAllowed: error("METHOD_NOT_ALLOWED", "The path does not support this method.", {
      allow: "Allow",
    }),
    RequestTimeout: error("REQUEST_TIMEOUT", "The request took too long to arrive."),
    UriTooLong: error("URI_TOO_LONG", "The URL is longer than the server accepts."),
    HeadersTooLarge: error("HEADERS_TOO_LARGE", "The headers are larger than the server accepts."),
    Refused: error(
      "EVALUATION_ABORTED",
      "A hook or the authentication refused the call with its own 4xx status and code.",
    ),
    InternalError: error("INTERNAL_ERROR", "The server failed."),
    Unavailable: {
      description: unavailable,
      headers: headers({ "retry-after": "RetryAfter" }),
      content: errorContent(service.sheddingLoad === true ? "OVERLOADED" : "SERVER_CLOSING"),
    },
  };
}

function forbidden({ callerProfiles = {} }: ServiceDescription): string {
  const denied = "The caller is not authorized";
  return Object.keys(callerProfiles).length === 0
    ? `${denied}.`
    : `${denied}, or the service does not offer a profile of that name.`;
}

/** The responses of paths with a version, by component name. */
export const versionResponses: Readonly<Record<string, ResponseObject>> = {
  VersionNotFound: errorAbout("9.9.9", "VERSION_NOT_FOUND", "The decision has no such version."),
  VersionRetired: errorAbout("0.9.0", "VERSION_RETIRED", "The version is no longer served."),
};
