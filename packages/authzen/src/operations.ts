import type { FacadeOperation } from "@decern/core";
import { semantics } from "./read-evaluations.js";

const text = { type: "string" } as const;
const anyObject = { type: "object", additionalProperties: true } as const;
const entity = (...names: readonly string[]) =>
  ({
    type: "object",
    properties: { ...Object.fromEntries(names.map((name) => [name, text])), properties: anyObject },
  }) as const;

const tuple = {
  subject: { ...entity("type", "id"), required: ["type", "id"] },
  action: { ...entity("name"), required: ["name"] },
  resource: { ...entity("type", "id"), required: ["type", "id"] },
  context: anyObject,
} as const;

const decided = {
  type: "object",
  properties: { decision: { type: "boolean" }, context: anyObject },
  required: ["decision"],
} as const;

const failed = (description: string) => ({ description, schema: text });

const responsesTo = (schema: { readonly [keyword: string]: unknown }) => ({
  "200": { description: "The answer.", schema },
  "400": failed("The request is not valid."),
  "401": failed("The caller is not authenticated."),
  "403": failed("The caller is not allowed to do this."),
  "405": failed("The path takes another method."),
  "413": failed("The request is too large."),
  "500": failed("The request could not be evaluated."),
  "503": failed("The service is overloaded, or about to end."),
});

export const evaluationOperation: FacadeOperation = {
  operationId: "authzenEvaluation",
  summary: "Ask whether a subject may do something",
  request: { type: "object", properties: tuple, required: ["subject", "action", "resource"] },
  responses: responsesTo(decided),
};

export const evaluationsOperation: FacadeOperation = {
  operationId: "authzenEvaluations",
  summary: "Ask several such questions at once",
  request: {
    type: "object",
    properties: {
      ...tuple,
      evaluations: { type: "array", items: { type: "object", properties: tuple } },
      options: {
        type: "object",
        properties: { evaluations_semantic: { type: "string", enum: semantics } },
        additionalProperties: true,
      },
    },
  },
  responses: responsesTo({
    anyOf: [
      decided,
      {
        type: "object",
        properties: { evaluations: { type: "array", items: decided } },
        required: ["evaluations"],
      },
    ],
  }),
};

export const metadataOperation: FacadeOperation = {
  operationId: "authzenMetadata",
  summary: "Find the endpoints",
  responses: {
    "200": {
      description: "The metadata of the policy decision point.",
      schema: {
        type: "object",
        properties: {
          policy_decision_point: text,
          access_evaluation_endpoint: text,
          access_evaluations_endpoint: text,
        },
        required: ["policy_decision_point", "access_evaluation_endpoint"],
      },
    },
    "405": failed("The path takes another method."),
    "503": failed("The service is overloaded, or about to end."),
  },
};
