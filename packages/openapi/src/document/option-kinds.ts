import type { SecurityDescription, ServiceDescription } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import { type Kind, kinds, option, type RowsOf, requiredOption } from "@decern/core/options";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import type {
  OpenAPIContact,
  OpenAPIInfo,
  OpenAPILicense,
  ReferenceObject,
  ResponseObject,
} from "./document.js";

const { flag, group, listOf, matching, nonEmptyText, object, text, wholeNumber } = kinds;

const url = kinds.that<string>((value) => typeof value === "string" && URL.canParse(value), "must be a URL");

const contactRows = {
  name: option(nonEmptyText),
  url: option(url),
  email: option(matching(/^[^\s@]+@[^\s@]+$/, "must be an email address")),
} satisfies RowsOf<OpenAPIContact>;

const licenseRows = {
  name: requiredOption(nonEmptyText),
  url: option(url),
} satisfies RowsOf<OpenAPILicense>;

const partialInfoRows = {
  title: option(nonEmptyText),
  version: option(nonEmptyText),
  description: option(text),
  contact: option(group(contactRows)),
  license: option(group(licenseRows)),
} satisfies RowsOf<OpenAPIInfo>;

/** A valid info block of OpenAPI 3.0. */
export const infoKind: Kind<OpenAPIInfo> = group({
  ...partialInfoRows,
  title: requiredOption(nonEmptyText),
  version: requiredOption(nonEmptyText),
});

/** An info block without a required title and version. */
export const infoRows = {
  /** `title`, `version`, `description`, `contact`, `license`. @default title `Decision service`, version `1.0.0` */
  info: option(group(partialInfoRows)),
};

/** How callers authenticate. */
export const securityKind: Kind<SecurityDescription> = group({
  // The name of a component in the document.
  name: requiredOption(matching(/^[A-Za-z0-9._-]+$/, "must consist of A-Z a-z 0-9 . _ -")),
  scheme: requiredOption(object<SecurityDescription["scheme"]>()),
} satisfies RowsOf<SecurityDescription>);

const status = matching(/^(?:[1-5]\d\d|[1-5]XX|default)$/, "must be a status such as 401, 4XX or default");

/** Responses by status. */
export const responsesKind: Kind<Readonly<Record<string, ResponseObject | ReferenceObject>>> = (
  value,
  path,
) =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, response]) => [
        ...status(name, `${path}/${escapePointer(name)}`),
        ...object()(response, `${path}/${escapePointer(name)}`),
      ])
    : object()(value, path);

/** A route of a facade. Facades are made by their packages, so that only what holds them is checked. */
const facadeRoute = kinds.that<NonNullable<ServiceDescription["facades"]>[number]>(
  (value) => isJsonObject(value) && isJsonObject(value["operation"]),
  "must be a route of a facade",
);

/** What a server offers besides its decisions. */
export const serviceKind: Kind<ServiceDescription> = group({
  metricsEndpoint: option<string>(endpointKind),
  openapiEndpoint: option<string>(endpointKind),
  swaggerEndpoint: option<string>(endpointKind),
  documentPath: option<string>(endpointKind),
  docs: option(flag),
  profileOverride: option(kinds.oneOf("replace", "merge", false)),
  sheddingLoad: option(flag),
  records: option(flag),
  explains: option(flag),
  maxBatch: option(wholeNumber),
  security: option(securityKind),
  publicMetrics: option(flag),
  callerProfiles: option(kinds.byName(listOf(nonEmptyText))),
  // `createGeneration` checks what is inside.
  versions: option(object<NonNullable<ServiceDescription["versions"]>>()),
  facades: option(listOf(facadeRoute)),
} satisfies RowsOf<ServiceDescription>);
