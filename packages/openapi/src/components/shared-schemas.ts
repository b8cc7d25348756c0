import { ERRORS, type ValidationIssue } from "@decern/core";
import type { SchemaObject } from "../document/document.js";
import { schemaRef } from "./component-schemas.js";

const text: SchemaObject = { type: "string" };

function object(
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

const instant: SchemaObject = {
  type: "string",
  format: "date-time",
  description: "Time of evaluation: ISO 8601, UTC.",
};
const decisionId: SchemaObject = { type: "string", pattern: "^[A-Za-z0-9._~-]{1,100}$" };
const evaluatedRules: SchemaObject = {
  type: "array",
  description: "The rules that were examined, in order.",
  items: schemaRef("EvaluatedRule"),
};
const jsonSchema: SchemaObject = schemaRef("JsonSchema");

const issueProperties: Record<keyof ValidationIssue, SchemaObject> = {
  path: { type: "string", description: "JSON Pointer into what was sent; empty for the whole." },
  message: { type: "string", description: "What is expected there." },
  keyword: { type: "string", description: "The constraint that failed, such as `minimum`." },
};

function invalidResult(status: "INVALID_INPUT" | "INVALID_PROFILE", what: string): SchemaObject {
  return object(
    {
      status: { type: "string", enum: [status] },
      message: { type: "string", description: "One sentence that names the failing fields." },
      errors: { type: "array", maxItems: 20, items: schemaRef("ValidationIssue") },
      meta: schemaRef("InvalidMeta"),
    },
    [],
    `The ${what} breaks its schema.`,
  );
}

/** The schemas that every document has, by component name. */
export const sharedSchemas: Readonly<Record<string, SchemaObject>> = {
  Error: object(
    {
      error: { type: "string", description: "For people to read." },
      code: { type: "string", pattern: "^[A-Z][A-Z0-9_]{0,63}$", description: "For programs to read." },
    },
    [],
    "Why a request was not carried out.",
  ),
  MissingInput: {
    // A pattern, not an `enum`: generators make an identifier of each enum value, and the quotation marks break it.
    ...object({ error: { type: "string", pattern: `^${ERRORS.MISSING_INPUT.message}$` } }),
    description: "The body is no object, or has no `input`.",
    additionalProperties: false,
  },
  ValidationIssue: object(issueProperties, [], "One failing place of what was sent."),
  EvaluatedRule: object(
    {
      ruleId: text,
      matched: { type: "boolean" },
      explanation: { type: "string", description: "Why it matched; on the rule that matched only." },
    },
    ["explanation"],
    "One rule that was examined.",
  ),
  MatchMeta: object({
    decisionId,
    decisionVersion: text,
    matchedRule: { type: "string", description: "Id of the rule that matched." },
    explanation: { type: "string", description: "Why the rule matched." },
    evaluatedAt: instant,
    evaluatedRules,
  }),
  NoMatchMeta: object({
    decisionId,
    decisionVersion: text,
    explanation: text,
    evaluatedAt: instant,
    evaluatedRules,
  }),
  InvalidMeta: object({ decisionId, evaluatedAt: instant }),
  NoMatchResult: object(
    { status: { type: "string", enum: ["NO_MATCH"] }, message: text, meta: schemaRef("NoMatchMeta") },
    [],
    "No rule matched.",
  ),
  InvalidInputResult: invalidResult("INVALID_INPUT", "input"),
  InvalidProfileResult: invalidResult("INVALID_PROFILE", "profile"),
  InvalidResult: {
    description: "What was sent breaks a schema.",
    oneOf: [schemaRef("InvalidInputResult"), schemaRef("InvalidProfileResult")],
    discriminator: {
      propertyName: "status",
      mapping: {
        INVALID_INPUT: schemaRef("InvalidInputResult").$ref,
        INVALID_PROFILE: schemaRef("InvalidProfileResult").$ref,
      },
    },
  },
  ServiceInfo: object({
    name: text,
    version: text,
    decisions: { type: "integer", minimum: 0, description: "How many decisions are served." },
  }),
  Health: object({ status: text }),
  JsonSchema: { type: "object", description: "A JSON Schema.", additionalProperties: true },
  DecisionInfo: object(
    {
      id: decisionId,
      version: text,
      description: text,
      meta: { type: "object", additionalProperties: true },
    },
    ["description", "meta"],
    "A decision as the listing shows it.",
  ),
  DecisionList: object({ decisions: { type: "array", items: schemaRef("DecisionInfo") } }),
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
