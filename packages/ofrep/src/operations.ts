import type { FacadeOperation } from "@decern/core";
import { errorCodes, reasons } from "./flag-answer.js";

const text = { type: "string" } as const;
const anyObject = { type: "object", additionalProperties: true } as const;

const failure = {
  type: "object",
  properties: { errorCode: { type: "string", enum: errorCodes }, errorDetails: text },
  required: ["errorCode"],
} as const;

const flagFailure = {
  type: "object",
  properties: { key: text, ...failure.properties },
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

const failures = (schema: typeof failure | typeof flagFailure) => ({
  "400": { description: "The context is not valid.", schema },
  "401": { description: "The caller is not authenticated.", schema },
  "403": { description: "The caller is not allowed to do this.", schema },
  "405": { description: "The path takes `POST` only.", schema },
  "413": { description: "The request is too large.", schema },
  "500": { description: "The evaluation failed.", schema },
  "503": { description: "The service is overloaded, or about to end.", schema },
});

export const flagOperation: FacadeOperation = {
  operationId: "ofrepFlag",
  summary: "Evaluate one flag",
  request,
  responses: {
    "200": { description: "The flag.", schema: flag },
    ...failures(flagFailure),
    "404": { description: "The flag was not found.", schema: flagFailure },
  },
};

export const bulkOperation: FacadeOperation = {
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
    ...failures(failure),
  },
};
