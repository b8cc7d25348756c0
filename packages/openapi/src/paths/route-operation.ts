import type { ServiceDescription } from "@decern/core";
import { schemaRef } from "../components/component-schemas.js";
import { headers, parameterRef, responseRef } from "../components/shared-responses.js";
import type {
  Content,
  OperationObject,
  ResponseObject,
  Responses,
  SchemaObject,
} from "../document/document.js";

export function ok(
  description: string,
  content: Content,
  more: Readonly<Record<string, string>> = {},
): ResponseObject {
  return { description, headers: headers(more), content };
}

/** Responses of every route, besides its own. */
export const commonResponses: Responses = {
  "405": responseRef("MethodNotAllowed"),
  "408": responseRef("RequestTimeout"),
  "431": responseRef("HeadersTooLarge"),
  "500": responseRef("InternalError"),
};

/** Responses of routes that are unavailable under load and while the server is closing. */
export const unavailable: Responses = { "503": responseRef("Unavailable") };

/** Responses of routes with the id of a decision in their path. */
export const ofDecision: Responses = {
  "404": responseRef("DecisionNotFound"),
  "414": responseRef("UriTooLong"),
};

/** Responses of routes with a version of a decision in their path. */
export const ofVersion: Responses = {
  "404": responseRef("VersionNotFound"),
  "410": responseRef("VersionRetired"),
  "414": responseRef("UriTooLong"),
};

/** Responses of routes that require authentication. Empty if the service does not require it. */
export function securedResponses(service: ServiceDescription): Responses {
  if (service.security === undefined) return {};
  return {
    "401": responseRef("Unauthorized"),
    "403": responseRef("Forbidden"),
    default: responseRef("Refused"),
  };
}

/** How a host takes calls, and what it replies. */
export interface CallHost {
  /** What a body has: fields, or nothing but the input itself. */
  readonly body: "input" | "input and profile" | "bare input";
  /** Whether a body may not have a profile and the name of one together. */
  readonly eitherProfile: boolean;
  /** Names of the profiles that a body may choose. */
  profileNames(decisionId: string): readonly string[];
  /** Whether a path without a version has the schemas of every version that may be chosen. */
  readonly describesSelected: boolean;
  readonly records: boolean;
  /**
   * Every response except 200.
   *
   * @param isPinned - whether the path names the version
   */
  responses(isPinned: boolean): Responses;
}

export function serverHost(service: ServiceDescription): CallHost {
  const offered = new Map(Object.entries(service.callerProfiles ?? {}));
  const records = service.records === true;
  return {
    records,
    describesSelected: false,
    body: service.profileOverride === false ? "input" : "input and profile",
    // Merged, the profile of the body goes into the named one.
    eitherProfile: service.profileOverride !== "merge",
    profileNames: (decisionId) => offered.get(decisionId) ?? [],
    responses: (isPinned) => ({
      "400": responseRef("InvalidCall"),
      ...securedResponses(service),
      "403": responseRef("Forbidden"),
      ...(isPinned ? ofVersion : ofDecision),
      ...commonResponses,
      ...(records ? { "503": responseRef("CallUnavailable") } : unavailable),
      "413": responseRef("BodyTooLarge"),
      "415": responseRef("UnsupportedMediaType"),
      "500": responseRef("EvaluationFailed"),
      default: responseRef("Refused"),
    }),
  };
}

export interface Route {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: "Catalogue" | "Service";
  readonly description: string;
  readonly content: Content;
  /** Needs no authentication, even if the service requires it elsewhere. */
  readonly open?: boolean;
  /** Available under load and while the server is closing. */
  readonly vital?: boolean;
  /** Has a strong `ETag` and supports `If-None-Match`. */
  readonly tagged?: boolean;
  /** Sends browsers to another page. */
  readonly redirected?: boolean;
  /** Has the id of a decision in its path, as a parameter or as text, or a version of one. */
  readonly of?: "any decision" | "decision" | "version";
}

export const json = (schema: SchemaObject): Content => ({ "application/json": { schema } });

export function described(
  operationId: string,
  summary: string,
  description: string,
  schema: string,
  of?: Route["of"],
): Route {
  const content = json(schemaRef(schema));
  return { operationId, summary, tag: "Catalogue", description, content, tagged: true, ...(of && { of }) };
}

const responsesOf: Readonly<Record<NonNullable<Route["of"]>, Responses>> = {
  "any decision": ofDecision,
  decision: ofDecision,
  version: ofVersion,
};

const elsewhere: ResponseObject = {
  description: "The client prefers HTML, which is at another path.",
  headers: {
    ...headers(),
    location: { description: "The page, relative to this path.", required: true, schema: { type: "string" } },
  },
};

export function routeOperation(route: Route, service: ServiceDescription): OperationObject {
  const { operationId, summary, tag, description, content } = route;
  const parameters = [
    ...(route.of === "any decision" ? ["DecisionId"] : []),
    ...(route.tagged === true ? ["IfNoneMatch"] : []),
    "RequestId",
  ];
  return {
    operationId,
    summary,
    tags: [tag],
    parameters: parameters.map(parameterRef),
    responses: {
      "200": ok(description, content, route.tagged === true ? { etag: "ETag" } : {}),
      ...(route.redirected === true ? { "303": elsewhere } : {}),
      ...(route.tagged === true ? { "304": responseRef("NotModified") } : {}),
      ...(route.open === true ? {} : securedResponses(service)),
      ...(route.of === undefined ? {} : { "400": responseRef("BadRequest"), ...responsesOf[route.of] }),
      ...commonResponses,
      ...(route.vital === true ? {} : unavailable),
    },
    ...(route.open === true && service.security !== undefined ? { security: [] } : {}),
  };
}
