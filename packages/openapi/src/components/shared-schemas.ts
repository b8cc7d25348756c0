import { ERRORS } from "@decern/core";
import { envelopeSchemas } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";
import { schemaRef } from "./component-schemas.js";

const text: SchemaObject = { type: "string" };
const time: SchemaObject = { type: "string", format: "date-time" };

/** @param optional - the properties that are not required */
export function object(
  properties: Readonly<Record<string, SchemaObject>>,
  optional: readonly string[] = [],
  description?: string,
): SchemaObject {
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

export function listOf(name: string): SchemaObject {
  return { type: "array", items: schemaRef(name) };
}

const decisionId: SchemaObject = { type: "string", pattern: "^[A-Za-z0-9._~-]{1,100}$" };

const jsonSchema: SchemaObject = schemaRef("JsonSchema");

/** The schemas of replies to calls, by component name. */
export const replySchemas: Readonly<Record<string, SchemaObject>> = {
  Error: object(
    {
      error: { type: "string", description: "A human-readable message." },
      code: { type: "string", pattern: "^[A-Z][A-Z0-9_]{0,63}$", description: "A machine-readable code." },
    },
    [],
    "Why the request failed.",
  ),
  ...envelopeSchemas(schemaRef),
  InvalidResult: {
    description: "The input or the profile does not match its schema.",
    oneOf: [schemaRef("InvalidInputResult"), schemaRef("InvalidProfileResult")],
    discriminator: {
      propertyName: "status",
      mapping: {
        INVALID_INPUT: schemaRef("InvalidInputResult").$ref,
        INVALID_PROFILE: schemaRef("InvalidProfileResult").$ref,
      },
    },
  },
  // It has a name because some generators make no type of a choice without one.
  InvalidCall: invalidCall([schemaRef("InvalidResult"), schemaRef("Error")]),
};

function invalidCall(oneOf: readonly SchemaObject[]): SchemaObject {
  return { description: "Why a call was refused.", oneOf };
}

const contentHash: SchemaObject = {
  type: "string",
  pattern: "^sha256:[0-9a-f]{64}$",
  description: "SHA-256 of the document that the decision was made from, such as a table, as canonical JSON.",
};

/** The schemas that every document of the standalone server has, by component name. */
export const sharedSchemas: Readonly<Record<string, SchemaObject>> = {
  ...replySchemas,
  InvalidCall: invalidCall([schemaRef("InvalidResult"), schemaRef("MissingInput"), schemaRef("Error")]),
  MissingInput: {
    // A pattern, not an `enum`: generators make an identifier of each enum value, and the quotation marks break it.
    ...object({ error: { type: "string", pattern: `^${ERRORS.MISSING_INPUT.message}$` } }),
    description: "The body is not an object, or has no `input`.",
    additionalProperties: false,
  },
  ServiceInfo: object({
    name: text,
    version: text,
    decisions: { type: "integer", minimum: 0, description: "The number of decisions." },
  }),
  Health: object({ status: text }),
  JsonSchema: { type: "object", description: "A JSON Schema.", additionalProperties: true },
  DecisionInfo: object(
    {
      id: decisionId,
      version: text,
      description: text,
      meta: { type: "object", additionalProperties: true },
      contentHash,
    },
    ["description", "meta", "contentHash"],
    "A decision in the list.",
  ),
  DecisionList: object({ decisions: listOf("DecisionInfo"), loaded: schemaRef("LoadedSets") }, ["loaded"]),
  // OpenAPI 3.0 allows no empty list of what is required.
  LoadedSets: {
    type: "object",
    description: "The sets in use, of a server that loads its decisions or profiles.",
    properties: { decisions: schemaRef("LoadedSet"), profiles: schemaRef("LoadedSet") },
  },
  LoadedSet: object(
    {
      revision: { type: "string", description: "The set's own name, or a hash of its files." },
      source: { type: "string", description: "The kind of place, such as file or url." },
      since: { ...time, description: "Since when the set is in use." },
    },
    ["revision", "source"],
  ),
  DecisionSchema: object({
    id: decisionId,
    version: text,
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
    profileSchema: jsonSchema,
  }),
  EndpointSchema: object({
    id: decisionId,
    method: { type: "string", enum: ["POST"] },
    path: text,
    requestSchema: jsonSchema,
    responseSchema: jsonSchema,
  }),
};

export const versionSchemas: Readonly<Record<string, SchemaObject>> = {
  VersionList: object({
    id: text,
    default: { type: "string", description: "The version that is evaluated if the path names none." },
    versions: listOf("VersionInfo"),
  }),
  VersionInfo: object(
    {
      version: text,
      contentHash,
      deprecated: schemaRef("VersionDeprecation"),
      retired: { type: "boolean", description: "Whether the version is no longer served." },
    },
    ["contentHash", "deprecated", "retired"],
    "A version in the list.",
  ),
  VersionDeprecation: object({ since: time, sunset: time, link: text }, ["sunset", "link"]),
};
