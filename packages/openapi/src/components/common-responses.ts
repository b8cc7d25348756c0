import type { ServiceDescription } from "@decern/core/host";
import type { Content, ResponseObject, Responses } from "../document/document.js";
import { headers, responseRef } from "./shared-responses.js";

/** A 200 response. */
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
