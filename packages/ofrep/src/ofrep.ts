import type {
  Facade,
  FeatureHost,
  FeatureOperation,
  FeatureReply,
  FeatureRequest,
  FeatureRoute,
} from "@decern/core";
import { expandsTooFar } from "@decern/core/host";
import { feature } from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import {
  answerBulk,
  createFlagEvaluator,
  errorCodes,
  type FlagErrorCode,
  reasons,
} from "./flag-evaluator.js";
import { type EvaluationContext, type OfrepOptions, readOptions } from "./options.js";

const text = { type: "string" } as const;

const anyObject = { type: "object", additionalProperties: true } as const;

const failureResponse = {
  type: "object",
  properties: { errorCode: { type: "string", enum: errorCodes }, errorDetails: text },
  required: ["errorCode"],
} as const;

const flagFailure = {
  type: "object",
  properties: { key: text, ...failureResponse.properties },
  required: ["key", "errorCode"],
} as const;

const flag = {
  type: "object",
  properties: {
    key: text,
    value: {
      description: "Absent where the default of the application applies.",
      anyOf: [{ type: "boolean" }, text, { type: "number" }, anyObject],
    },
    variant: text,
    reason: { type: "string", enum: reasons },
    metadata: { type: "object", additionalProperties: text },
  },
  required: ["key", "reason"],
} as const;

const request = { type: "object", properties: { context: anyObject } } as const;

const failures = (schema: typeof failureResponse | typeof flagFailure) => ({
  "400": { description: "The context is not valid.", schema },
  "401": { description: "The caller is not authenticated.", schema },
  "403": { description: "The caller is not allowed to do this.", schema },
  "405": { description: "The path takes `POST` only.", schema },
  "413": { description: "The request is too large.", schema },
  "500": { description: "The evaluation failed.", schema },
  "503": { description: "The service is overloaded, or about to end.", schema },
});

const flagOperation: FeatureOperation = {
  operationId: "ofrepFlag",
  summary: "Evaluate one flag",
  request,
  responses: {
    "200": { description: "The flag.", schema: flag },
    ...failures(flagFailure),
    "404": { description: "The flag was not found.", schema: flagFailure },
  },
};

const bulkOperation: FeatureOperation = {
  operationId: "ofrepFlags",
  summary: "Evaluate all flags",
  request,
  responses: {
    "200": {
      description: "The flags.",
      schema: {
        type: "object",
        properties: { flags: { type: "array", items: { anyOf: [flag, flagFailure] } } },
        required: ["flags"],
      },
    },
    "304": { description: "The flags of this context have not changed." },
    ...failures(failureResponse),
  },
};

const path = "/ofrep/v1/evaluate/flags";

/**
 * Lets OpenFeature SDKs evaluate decisions as flags over OFREP: `POST /ofrep/v1/evaluate/flags/:key` for one, as providers on
 * servers ask, and `POST /ofrep/v1/evaluate/flags` for all, as providers in browsers and apps do.
 *
 * @returns what a host takes in its option `facades`
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * createServer({ decisions: [newCheckout], facades: [ofrep({ flags: [newCheckout] })] });
 * ```
 */
export function ofrep(options: OfrepOptions): Facade {
  const flags = readOptions(options);
  return {
    [feature]: "facade",
    name: "ofrep",
    decisions: flags.map(({ decision }) => decision),
    routes: (host) => routesOf(host),
    refuse({ status, message }, { params }) {
      const key = keyOf(params);
      // The protocol has no status of its own for another media type.
      if (status === 400 || status === 415) return failure(400, "PARSE_ERROR", message, key);
      return failure(status, "GENERAL", message, key);
    },
  };

  function routesOf(host: FeatureHost): readonly FeatureRoute[] {
    const evaluators = new Map(flags.map((flag) => [flag.key, createFlagEvaluator(host, flag)] as const));
    const answerOne = async (request: FeatureRequest): Promise<FeatureReply> => {
      const key = keyOf(request.params) ?? "";
      const evaluate = evaluators.get(key);
      if (evaluate === undefined) return failure(404, "FLAG_NOT_FOUND", "Flag not found", key);
      const context = contextOf(request.body);
      if (context === undefined) return failure(400, "INVALID_CONTEXT", noContext, key);
      const { status, answer, headers } = await evaluate(context, request);
      return { status, body: JSON.stringify(answer), headers };
    };
    const answerAll = async (request: FeatureRequest): Promise<FeatureReply> => {
      const context = contextOf(request.body);
      if (context === undefined) return failure(400, "INVALID_CONTEXT", noContext);
      const each = [...evaluators.values()];
      // Every flag's evaluation reads, and records, all of the context.
      if (
        expandsTooFar(
          request.body,
          each.map(() => context),
        )
      )
        return failure(413, "GENERAL", "The context is too large to evaluate all flags with it");
      return answerBulk(host, each, context, request);
    };
    return [
      { method: "POST", path: `${path}/:key`, operation: flagOperation, answer: answerOne },
      { method: "POST", path, operation: bulkOperation, answer: answerAll },
    ];
  }
}

/** `undefined` for a request for all flags. A key that cannot be read belongs to no flag. */
function keyOf(params: FeatureRequest["params"]): string | undefined {
  return Object.hasOwn(params, "key") ? (params["key"] ?? "") : undefined;
}

const noContext = "The request must be a JSON object, and its context an object";

/** `undefined` if it is not a context. */
function contextOf(body: unknown): EvaluationContext | undefined {
  if (!isJsonObject(body)) return undefined;
  const context = Object.hasOwn(body, "context") ? body["context"] : {};
  return isJsonObject(context) ? context : undefined;
}

function failure(status: number, errorCode: FlagErrorCode, errorDetails: string, key?: string): FeatureReply {
  return { status, body: JSON.stringify({ key, errorCode, errorDetails }) };
}
