import type { FeatureOperation, FeatureReply, FeatureRequest, FeatureRoute } from "@decern/core";
import type { AccessOutcome } from "./access-evaluator.js";
import { semantics } from "./access-request.js";

type Headers = FeatureRequest["headers"];

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
  "200": { description: "The result.", schema },
  "400": failed("The request is not valid."),
  "401": failed("The caller is not authenticated."),
  "403": failed("The caller is not allowed to do this."),
  "405": failed("The path takes another method."),
  "413": failed("The request is too large."),
  "500": failed("The request could not be evaluated."),
  "503": failed("The service is overloaded, or about to end."),
});

export const evaluationOperation: FeatureOperation = {
  operationId: "authzenEvaluation",
  summary: "Ask whether a subject may do something",
  request: { type: "object", properties: tuple, required: ["subject", "action", "resource"] },
  responses: responsesTo(decided),
};

export const evaluationsOperation: FeatureOperation = {
  operationId: "authzenEvaluations",
  summary: "Ask several such questions in one request",
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

const metadataOperation: FeatureOperation = {
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

/** The response to a single request. What could not be evaluated is an error of HTTP. */
export function singleReply(outcome: AccessOutcome, headers: Headers): FeatureReply {
  const { failure } = outcome;
  const more = outcome.headers;
  if (failure !== undefined) return errorReply(failure.status, failure.message, headers, more);
  const { decision, context } = outcome;
  return { status: 200, body: JSON.stringify({ decision, context }), headers: { ...more, ...echo(headers) } };
}

/** The response to several requests, in which an error stands in the place of its request. */
export function evaluationsReply(outcomes: readonly AccessOutcome[], headers: Headers): FeatureReply {
  const evaluations = outcomes.map((outcome) =>
    outcome.failure === undefined
      ? { decision: outcome.decision, context: outcome.context }
      : { decision: false, context: { error: outcome.failure } },
  );
  return { status: 200, body: JSON.stringify({ evaluations }), headers: echo(headers) };
}

/** An error of HTTP: its body is the message, a JSON string. */
export function errorReply(
  status: number,
  message: string,
  headers: Headers,
  more?: Readonly<Record<string, string>> | undefined,
): FeatureReply {
  return { status, body: JSON.stringify(message), headers: { ...more, ...echo(headers) } };
}

/** The specification takes any text as a request id, and wants it back. Decern's own ids are stricter. */
function echo({ "x-request-id": id }: Headers): Readonly<Record<string, string>> {
  return typeof id === "string" && id !== "" ? { "x-request-id": id } : {};
}

export const evaluationPath = "/access/v1/evaluation";

export const evaluationsPath = "/access/v1/evaluations";

/**
 * The route that tells where the endpoints are. It is open: it says nothing about decisions, and callers read it to find out
 * how to ask.
 *
 * @param url - the identifier of the policy decision point, which callers compare with the one that they asked for
 */
export function metadataRoute(url: string): FeatureRoute {
  const { pathname } = new URL(url);
  const body = JSON.stringify({
    policy_decision_point: url,
    access_evaluation_endpoint: url + evaluationPath,
    access_evaluations_endpoint: url + evaluationsPath,
  });
  return {
    method: "GET",
    // The specification inserts it before the path of the identifier.
    path: `/.well-known/authzen-configuration${pathname === "/" ? "" : pathname}`,
    open: true,
    operation: metadataOperation,
    answer: ({ headers }) => ({ status: 200, body, headers: echo(headers) }),
  };
}
