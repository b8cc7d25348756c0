import { type Deprecation, ERRORS, type ErrorCode, type ServiceDescription } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { HeaderObject, ParameterObject, ReferenceObject, ResponseObject } from "../document/document.js";
import type { ServedDecision } from "./component-names.js";
import { schemaRef } from "./component-schemas.js";

export function responseRef(name: string): ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

function headerRef(name: string): ReferenceObject {
  return { $ref: `#/components/headers/${name}` };
}

export function parameterRef(name: string): ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

const requestId = { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" };

const text = { type: "string" };

/** A header that each response has where it is described. */
function requiredHeader(description: string, schema: HeaderObject["schema"] = text): HeaderObject {
  return { description, required: true, schema };
}

const recordId: HeaderObject = {
  description: "The id of the record of this call. Absent where the call is not in the sample.",
  schema: { type: "string", format: "uuid" },
};

const retryAfter: HeaderObject = { description: "Seconds to wait before trying again.", schema: text };

/** The headers of replies to calls that are recorded, by component name. */
export const recordHeaders: Readonly<Record<string, HeaderObject>> = {
  RecordId: recordId,
  RetryAfter: retryAfter,
};

/** The header with the id of a record, if calls are recorded: component names by header. */
export function recordIdHeader(records: boolean): Readonly<Record<string, string>> {
  return records ? { "decern-record-id": "RecordId" } : {};
}

const challenge: HeaderObject = { description: "How to authenticate.", schema: text };

/** The header that every reply to a call has, by component name. */
export const replyHeaders: Readonly<Record<string, HeaderObject>> = {
  RequestId: requiredHeader("The id of this request in hooks, logs and events.", requestId),
};

const plainHeaders: Readonly<Record<string, HeaderObject>> = {
  ...replyHeaders,
  ETag: requiredHeader("Changes whenever the body changes."),
  Allow: requiredHeader("The methods that this path supports."),
  RetryAfter: retryAfter,
};

export function sharedHeaders(service: ServiceDescription): Readonly<Record<string, HeaderObject>> {
  return {
    ...plainHeaders,
    ...(service.security === undefined ? {} : { Challenge: challenge }),
    ...(service.records === true ? { RecordId: recordId } : {}),
  };
}

/** The parameter that every call has, by component name. */
export const callParameters: Readonly<Record<string, ParameterObject>> = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    description: "The id of this request. The server sends it back, and generates one if it is absent.",
    schema: requestId,
  },
};

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

/**
 * A response with an error.
 *
 * @param more - further headers: component names by header
 * @param detail - what the message names, such as an id
 */
export function error(
  code: ErrorCode,
  description: string,
  more?: Readonly<Record<string, string>>,
  detail?: string,
): ResponseObject {
  const example = { error: tableReply(code, detail).message, code };
  return {
    description,
    headers: headers(more),
    content: { "application/json": { schema: schemaRef("Error"), example } },
  };
}

export function invalidCall(
  description: string,
  records: boolean,
  example: { readonly error: string; readonly code?: ErrorCode },
): ResponseObject {
  return {
    description,
    headers: headers(recordIdHeader(records)),
    content: { "application/json": { schema: schemaRef("InvalidCall"), example } },
  };
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

export function sharedResponses(service: ServiceDescription): Readonly<Record<string, ResponseObject>> {
  const { records = false, security, sheddingLoad, profileOverride } = service;
  const unavailable = `The server is closing${sheddingLoad === true ? " or overloaded" : ""}, or a hook timed out.`;
  const retryable = { "retry-after": "RetryAfter" };
  const challenged = { "www-authenticate": "Challenge" };
  return {
    ...callResponses(records),
    ...(records ? { CallUnavailable: unrecorded(unavailable) } : {}),
    NotModified: { description: "The resource has not changed.", headers: headers({ etag: "ETag" }) },
    InvalidCall: invalidCall(
      "The input or the profile does not match its schema (the body is an envelope with `status`), `input` is missing, the body is not valid JSON, or a hook rejected the call.",
      records,
      { error: ERRORS.MISSING_INPUT.message },
    ),
    BadRequest: error("BAD_REQUEST", "The request is malformed."),
    ...(security === undefined
      ? {}
      : { Unauthorized: error("UNAUTHORIZED", "The caller is not authenticated.", challenged) }),
    Forbidden:
      profileOverride === false
        ? error("PROFILE_OVERRIDE_FORBIDDEN", "The body has a profile, or the caller is not authorized.")
        : error("ACCESS_DENIED", forbidden(service)),
    DecisionNotFound: error("DECISION_NOT_FOUND", "No decision has this id.", {}, "some-id"),
    MethodNotAllowed: error("METHOD_NOT_ALLOWED", "The path does not support this method.", {
      allow: "Allow",
    }),
    RequestTimeout: error("REQUEST_TIMEOUT", "The request took too long to arrive."),
    UriTooLong: error("URI_TOO_LONG", "The URL is longer than the server accepts."),
    HeadersTooLarge: error("HEADERS_TOO_LARGE", "The headers are larger than the server accepts."),
    Refused: error(
      "EVALUATION_ABORTED",
      "A hook or the authentication rejected the call with its own 4xx status and code.",
    ),
    InternalError: error("INTERNAL_ERROR", "The server failed."),
    Unavailable: error(sheddingLoad === true ? "OVERLOADED" : "SERVER_CLOSING", unavailable, retryable),
  };
}

function forbidden({ callerProfiles = {} }: ServiceDescription): string {
  const denied = "The caller is not authorized";
  return Object.keys(callerProfiles).length === 0
    ? `${denied}.`
    : `${denied}, or the service does not offer a profile of that name.`;
}

export const versionResponses: Readonly<Record<string, ResponseObject>> = {
  VersionNotFound: error("VERSION_NOT_FOUND", "The decision has no such version.", {}, "9.9.9"),
  VersionRetired: error("VERSION_RETIRED", "The version is no longer served.", {}, "0.9.0"),
};

/** The headers that responses of deprecated versions have, by component name. */
const deprecationHeaders: ReadonlyMap<string, HeaderObject> = new Map([
  [
    "Deprecation",
    requiredHeader("When this version was deprecated (RFC 9745), in seconds since 1970.", {
      type: "string",
      pattern: "^@-?[0-9]+$",
    }),
  ],
  ["Sunset", requiredHeader("When this version will be retired (RFC 8594), as an HTTP date.")],
  ["Link", requiredHeader("Where to read about the deprecation (RFC 8288).")],
]);

/** The deprecation headers of one version: component names by header. */
export function headersOf(deprecation: Deprecation | undefined): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {};
  return {
    deprecation: "Deprecation",
    ...(deprecation.sunset === undefined ? {} : { sunset: "Sunset" }),
    ...(deprecation.link === undefined ? {} : { link: "Link" }),
  };
}

/** The deprecation headers that some response has: a linter warns about the others. */
export function usedDeprecationHeaders(
  served: readonly ServedDecision[],
): Readonly<Record<string, HeaderObject>> {
  const used = new Set(
    served
      .flatMap(({ main, versions = [] }) => [main, ...versions])
      .flatMap(({ deprecation }) => Object.values(headersOf(deprecation))),
  );
  return Object.fromEntries([...deprecationHeaders].filter(([name]) => used.has(name)));
}

/** The notice for callers of a deprecated version. */
export function deprecationNotice({ since, sunset, link }: Deprecation): string {
  const end = sunset === undefined ? "" : ` It will be retired on ${dayOf(sunset)}.`;
  return `Deprecated since ${dayOf(since)}.${end}${link === undefined ? "" : ` See ${link}`}`;
}

function dayOf(date: string | Date): string {
  return new Date(date).toISOString().slice(0, 10);
}
