import { schemaRef } from "../components/component-schemas.js";
import { headers } from "../components/shared-responses.js";
import type { ResponseObject, SchemaObject } from "../document/document.js";

const text: SchemaObject = { type: "string" };
const time: SchemaObject = { type: "string", format: "date-time" };

/** The schemas of the list of versions, by component name. */
export const versionSchemas: Readonly<Record<string, SchemaObject>> = {
  VersionList: {
    type: "object",
    properties: {
      id: text,
      default: { type: "string", description: "The version that is evaluated if the path names none." },
      versions: { type: "array", items: schemaRef("VersionInfo") },
    },
    required: ["id", "default", "versions"],
  },
  VersionInfo: {
    type: "object",
    description: "A version in the list.",
    properties: {
      version: text,
      deprecated: schemaRef("VersionDeprecation"),
      retired: { type: "boolean", description: "Whether the version is no longer served." },
    },
    required: ["version"],
  },
  VersionDeprecation: {
    type: "object",
    properties: { since: time, sunset: time, link: text },
    required: ["since"],
  },
};

/** The responses of paths with a version, by component name. */
export const versionResponses: Readonly<Record<string, ResponseObject>> = {
  VersionNotFound: refusal(
    "The decision has no such version.",
    "VERSION_NOT_FOUND",
    "Version not found: 9.9.9",
  ),
  VersionRetired: refusal("The version is no longer served.", "VERSION_RETIRED", "Version retired: 0.9.0"),
};

function refusal(description: string, code: string, error: string): ResponseObject {
  return {
    description,
    headers: headers(),
    content: { "application/json": { schema: schemaRef("Error"), example: { error, code } } },
  };
}
