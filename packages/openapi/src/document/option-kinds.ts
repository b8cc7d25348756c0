import { endpointKind, type SecurityDescription, type ServiceDescription } from "@decern/core/host";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { OpenAPIContact, OpenAPIInfo, OpenAPILicense } from "./document.js";

const { flag, group, listOf, nonEmptyText, object, text, wholeNumber } = optionKinds;

function matching(pattern: RegExp, message: string): OptionKind {
  return (value, path) => (typeof value === "string" && pattern.test(value) ? [] : [{ path, message }]);
}

const email = matching(/^[^\s@]+@[^\s@]+$/, "must be an email address");

const url: OptionKind = (value, path) =>
  typeof value === "string" && URL.canParse(value) ? [] : [{ path, message: "must be a URL" }];

const infoTable: OptionTable<OpenAPIInfo> = {
  title: nonEmptyText,
  version: nonEmptyText,
  description: text,
  contact: group<OpenAPIContact>({ name: nonEmptyText, url, email }),
  license: group<OpenAPILicense>({ name: nonEmptyText, url }, ["name"]),
};

/** A valid info block of OpenAPI 3.0. */
export const infoKind = group(infoTable, ["title", "version"]);

/** An info block without a required title and version. */
export const partialInfoKind = group(infoTable);

/** How callers authenticate. */
export const securityKind = group<SecurityDescription>(
  {
    // The name of a component in the document.
    name: matching(/^[A-Za-z0-9._-]+$/, "must consist of A-Z a-z 0-9 . _ -"),
    scheme: object,
  },
  ["name", "scheme"],
);

/** Responses by status. */
export const responsesKind: OptionKind = (value, path) =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([status, response]) => [
        ...matching(/^(?:[1-5]\d\d|[1-5]XX|default)$/, "must be a status such as 401, 4XX or default")(
          status,
          `${path}/${escapePointer(status)}`,
        ),
        ...object(response, `${path}/${escapePointer(status)}`),
      ])
    : object(value, path);

const profileOverride: OptionKind = (value, path) =>
  value === false ? [] : matching(/^(?:replace|merge)$/, 'must be "replace", "merge" or false')(value, path);

const callerProfiles: OptionKind = (value, path) =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([id, names]) =>
        names === undefined ? [] : listOf(nonEmptyText)(names, `${path}/${escapePointer(id)}`),
      )
    : object(value, path);

/** A route of a facade. Facades are made by their packages, so that only what holds them is checked. */
const facadeRoute: OptionKind = (value, path) =>
  isJsonObject(value) && isJsonObject(value["operation"])
    ? []
    : [{ path, message: "must be a route of a facade" }];

/** What a server offers besides its decisions. */
export const serviceKind = group<ServiceDescription>({
  metricsEndpoint: endpointKind,
  openapiEndpoint: endpointKind,
  swaggerEndpoint: endpointKind,
  documentPath: endpointKind,
  docs: flag,
  profileOverride,
  sheddingLoad: flag,
  records: flag,
  explains: flag,
  maxBatch: wholeNumber,
  security: securityKind,
  publicMetrics: flag,
  callerProfiles,
  // `createGeneration` checks what is inside.
  versions: object,
  facades: listOf(facadeRoute),
});
