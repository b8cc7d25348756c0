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

/** Points to a response among the components. */
export function responseRef(name: string): ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

function headerRef(name: string): ReferenceObject {
  return { $ref: `#/components/headers/${name}` };
}

/** Points to a parameter among the components. */
export function parameterRef(name: string): ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

const requestId = { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" };

/** The headers that responses share, by component name. */
export function sharedHeaders(service: ServiceDescription): Readonly<Record<string, HeaderObject>> {
  return service.security === undefined ? plainHeaders : { ...plainHeaders, Challenge: challenge };
}

const challenge: HeaderObject = { description: "How to prove it.", schema: { type: "string" } };
const plainHeaders: Readonly<Record<string, HeaderObject>> = {
  RequestId: {
    description: "Names this request in hooks, logs and events.",
    required: true,
    schema: requestId,
  },
  ETag: { description: "Changes when the body does.", required: true, schema: { type: "string" } },
  Allow: { description: "The methods that this path has.", required: true, schema: { type: "string" } },
  RetryAfter: { description: "Seconds to wait before trying again.", schema: { type: "string" } },
};

/** The parameters that operations share, by component name. */
export const sharedParameters: Readonly<Record<string, ParameterObject>> = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    description: "Names this request; sent back. Left out, the server makes one.",
    schema: requestId,
  },
  IfNoneMatch: {
    name: "if-none-match",
    in: "header",
    description: "An `ETag` received earlier: while it is still right, the answer is 304, without a body.",
    schema: { type: "string" },
  },
  DecisionId: {
    name: "id",
    in: "path",
    description: "Id of the decision.",
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

function errorContent(code: ErrorCode, detail?: string): Content {
  const { message } = tableReply(code, detail);
  return { "application/json": { schema: schemaRef("Error"), example: { error: message, code } } };
}

function error(
  code: ErrorCode,
  description: string,
  more?: Readonly<Record<string, string>>,
): ResponseObject {
  return { description, headers: headers(more), content: errorContent(code) };
}

/** The responses that routes share, by component name. */
export function sharedResponses(service: ServiceDescription): Readonly<Record<string, ResponseObject>> {
  return {
    NotModified: {
      description: "What the caller has is still right.",
      headers: headers({ etag: "ETag" }),
    },
    InvalidCall: {
      description:
        "The input or the profile breaks its schema (an envelope with `status`), `input` is missing, the body is not JSON, or a hook refused the call.",
      headers: headers(),
      content: {
        "application/json": {
          schema: { oneOf: [schemaRef("InvalidResult"), schemaRef("MissingInput"), schemaRef("Error")] },
          example: { error: ERRORS.MISSING_INPUT.message },
        },
      },
    },
    BadRequest: error("BAD_REQUEST", "The request cannot be read."),
    ...(service.security === undefined
      ? {}
      : {
          Unauthorized: error("UNAUTHORIZED", "The caller has not proved who it is.", {
            "www-authenticate": "Challenge",
          }),
        }),
    Forbidden:
      service.profileOverride === false
        ? error("PROFILE_OVERRIDE_FORBIDDEN", "The body has a profile, or the caller may not do this.")
        : error("ACCESS_DENIED", "The caller may not do this."),
    DecisionNotFound: {
      description: "No decision has this id.",
      headers: headers(),
      content: errorContent("DECISION_NOT_FOUND", "some-id"),
    },
    MethodNotAllowed: error("METHOD_NOT_ALLOWED", "The path is right and the method is not.", {
      allow: "Allow",
    }),
    RequestTimeout: error("REQUEST_TIMEOUT", "The request took too long to arrive."),
    BodyTooLarge: error("BODY_TOO_LARGE", "The body is larger than the server takes."),
    UriTooLong: error("URI_TOO_LONG", "The URL is longer than the server takes."),
    UnsupportedMediaType: error("UNSUPPORTED_MEDIA_TYPE", "The body is not said to be JSON."),
    HeadersTooLarge: error("HEADERS_TOO_LARGE", "The headers are larger than the server takes."),
    Refused: error(
      "EVALUATION_ABORTED",
      "A hook, or the authentication, refused the call with a 4xx status and a code of its own.",
    ),
    EvaluationFailed: error("EVALUATION_FAILED", "The decision, or a hook, is at fault."),
    InternalError: error("INTERNAL_ERROR", "The server is at fault."),
    Unavailable: {
      description:
        service.sheddingLoad === true
          ? "The server is closing, has more to do than it can, or waited too long for a hook."
          : "The server is closing, or waited too long for a hook.",
      headers: headers({ "retry-after": "RetryAfter" }),
      content: errorContent(service.sheddingLoad === true ? "OVERLOADED" : "SERVER_CLOSING"),
    },
  };
}
