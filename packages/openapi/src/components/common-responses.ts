import type { ServiceDescription } from "@decern/core/host";
import type { Content, ResponseObject, Responses } from "../document/document.js";
import { headers, responseRef } from "./shared-responses.js";

/** A reply of 200. */
export function ok(
  description: string,
  content: Content,
  more: Readonly<Record<string, string>> = {},
): ResponseObject {
  return { description, headers: headers(more), content };
}

/** What any route can answer beside what it is for. */
export const commonResponses: Responses = {
  "405": responseRef("MethodNotAllowed"),
  "408": responseRef("RequestTimeout"),
  "431": responseRef("HeadersTooLarge"),
  "500": responseRef("InternalError"),
};

/** What a route can answer that does not have to answer under load and while closing. */
export const unavailable: Responses = { "503": responseRef("Unavailable") };

/** What a route with a decision's id in its path can answer. */
export const ofDecision: Responses = {
  "404": responseRef("DecisionNotFound"),
  "414": responseRef("UriTooLong"),
};

/** What a route that asks who the caller is can answer, and nothing where none does. */
export function securedResponses(service: ServiceDescription): Responses {
  if (service.security === undefined) return {};
  return {
    "401": responseRef("Unauthorized"),
    "403": responseRef("Forbidden"),
    default: responseRef("Refused"),
  };
}
