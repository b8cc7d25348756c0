import type { FacadeOperation } from "@decern/core";

const text = { type: "string" } as const;
const anyObject = { type: "object", additionalProperties: true } as const;

const failure = {
  type: "object",
  properties: { key: text, errorCode: text, errorDetails: text },
  required: ["errorCode"],
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
    reason: text,
    metadata: { type: "object", additionalProperties: text },
  },
  required: ["key"],
} as const;

const request = { type: "object", properties: { context: anyObject } } as const;

const failed = (description: string) => ({ description, schema: failure });

const failures = {
  "400": failed("The context is not valid."),
  "401": failed("The caller is not authenticated."),
  "403": failed("The caller is not allowed to do this."),
  "413": failed("The request is too large."),
  "500": failed("The evaluation failed."),
};

export const flagOperation: FacadeOperation = {
  operationId: "ofrepFlag",
  summary: "Evaluate one flag",
  request,
  responses: {
    "200": { description: "The flag.", schema: flag },
    ...failures,
    "404": failed("The flag was not found."),
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
        properties: { flags: { type: "array", items: { anyOf: [flag, failure] } } },
        required: ["flags"],
      },
    },
    "304": { description: "The flags of this context have not changed." },
    ...failures,
  },
};
