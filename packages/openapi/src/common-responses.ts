import type { ServiceDescription } from "@decern/core";
import type { Content, ResponseObject, Responses } from "./document.js";
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
export function commonResponses(): Responses {
  return {
    "405": responseRef("MethodNotAllowed"),
    "408": responseRef("RequestTimeout"),
    "414": responseRef("UriTooLong"),
    "431": responseRef("HeadersTooLarge"),
    "500": responseRef("InternalError"),
    "503": responseRef("Unavailable"),
  };
}

/** What a route that asks who the caller is can answer, and nothing where none does. */
export function securedResponses(service: ServiceDescription): Responses {
  return service.security === undefined ? {} : { "401": responseRef("Unauthorized") };
}
