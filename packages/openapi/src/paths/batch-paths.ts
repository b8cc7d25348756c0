import type { ServiceDescription } from "@decern/core";
import { okResultSchema } from "@decern/core/schema";
import { schemaRef } from "../components/component-schemas.js";
import { parameterRef, responseRef } from "../components/shared-responses.js";
import { listOf, object } from "../components/shared-schemas.js";
import type { OperationObject, ParameterObject, PathItemObject, SchemaObject } from "../document/document.js";
import { decisionsTag, notBothProfiles } from "./decision-operation.js";
import {
  commonResponses,
  ofDecision,
  ofVersion,
  ok,
  securedResponses,
  unavailable,
} from "./route-operation.js";

/** Lines, each of which is JSON. No schema of OpenAPI can say more of them. */
const lines = { "application/x-ndjson": { schema: { type: "string" } } } as const;

export function batchSchemas(service: ServiceDescription): Readonly<Record<string, SchemaObject>> {
  const { maxBatch, profileOverride = "replace", callerProfiles } = service;
  const inputs = { type: "array", items: {}, maxItems: maxBatch, description: "Inputs of the decision." };
  const profile = { description: "For all inputs." };
  const profileName = { type: "string", description: "For all inputs." };
  return {
    InputBatch: {
      type: "object",
      properties: {
        inputs,
        ...(profileOverride === false ? {} : { profile }),
        ...(callerProfiles === undefined ? {} : { profileName }),
      },
      required: ["inputs"],
      ...(callerProfiles !== undefined && profileOverride === "replace" ? notBothProfiles : {}),
    },
    ResultBatch: object({ results: listOf("ResultBatchItem") }),
    ResultBatchItem: {
      description: "The envelope of one input, or why its evaluation failed.",
      anyOf: [
        okResultSchema({}, schemaRef("MatchMeta")),
        schemaRef("NoMatchResult"),
        schemaRef("InvalidResult"),
        schemaRef("Error"),
      ],
    },
  };
}

export const versionParameter: Readonly<Record<string, ParameterObject>> = {
  DecisionVersion: {
    name: "version",
    in: "path",
    description: "The version of the decision.",
    required: true,
    schema: { type: "string" },
  },
};

/**
 * The paths of batches. They are the same for every decision: one for each would make the document half as long again.
 *
 * @param versioned - whether paths may name a version
 */
export function batchPaths(
  service: ServiceDescription,
  versioned: boolean,
): Readonly<Record<string, PathItemObject>> {
  if (service.maxBatch === undefined) return {};
  const unpinned = { "/decisions/{id}/batch": { post: batchOperation(service, false) } };
  if (!versioned) return unpinned;
  return {
    ...unpinned,
    "/decisions/{id}/versions/{version}/batch": { post: batchOperation(service, true) },
  };
}

// No name of a decision leads to an operation whose id begins with anything but evaluate, get or list.
function batchOperation(service: ServiceDescription, isPinned: boolean): OperationObject {
  const parameters = ["DecisionId", ...(isPinned ? ["DecisionVersion"] : []), "RequestId"];
  return {
    operationId: isPinned ? "batchEvaluateVersion" : "batchEvaluate",
    summary: isPinned ? "Evaluate many inputs with one version" : "Evaluate many inputs",
    description:
      'One bad input never fails the others. As NDJSON, one input a line in and one item a line out; the last line is `{"done":true,"count":N}`.',
    tags: [decisionsTag.name],
    parameters: parameters.map(parameterRef),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaRef("InputBatch") }, ...lines },
    },
    responses: {
      "200": ok("An item for each input, in their order.", {
        "application/json": { schema: schemaRef("ResultBatch") },
        ...lines,
      }),
      "400": responseRef("BadRequest"),
      ...securedResponses(service),
      "403": responseRef("Forbidden"),
      ...(isPinned ? ofVersion : ofDecision),
      ...commonResponses,
      ...unavailable,
      "413": responseRef("BodyTooLarge"),
      "415": responseRef("UnsupportedMediaType"),
    },
  };
}
