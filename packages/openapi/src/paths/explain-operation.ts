import type { ServedVersion } from "@decern/core/host";
import { schemaRef } from "../components/component-schemas.js";
import { headersOf } from "../components/served-decisions.js";
import type { OperationObject, SchemaObject } from "../document/document.js";
import { json, ok } from "./route-operation.js";

const text: SchemaObject = { type: "string" };
const flag: SchemaObject = { type: "boolean" };
const count: SchemaObject = { type: "integer", minimum: 0 };
const anything: SchemaObject = {};
const listOf = (name: string): SchemaObject => ({ type: "array", items: schemaRef(name) });

/** The schemas of explanations, by component name. */
export const explanationSchemas: Readonly<Record<string, SchemaObject>> = {
  Explanation: {
    type: "object",
    description: "What would change an answer, the nearest change first.",
    properties: {
      envelope: { type: "object", additionalProperties: true, description: "The answer." },
      fields: listOf("FieldExplanation"),
      evaluations: count,
      complete: { type: "boolean", description: "Whether every field was searched." },
    },
    required: ["envelope", "fields", "evaluations", "complete"],
  },
  FieldExplanation: {
    type: "object",
    description: "A field of the input that changes the answer.",
    properties: {
      path: { type: "string", description: "A JSON Pointer into the input." },
      value: anything,
      flips: listOf("Flip"),
      bands: schemaRef("Bands"),
    },
    required: ["path", "flips"],
  },
  Flip: {
    type: "object",
    description: "A value that changes the answer. Without `to`, the field is left out.",
    properties: {
      to: anything,
      status: { type: "string", enum: ["OK", "NO_MATCH"] },
      matchedRule: text,
      explanation: text,
      data: anything,
      changesRule: flag,
      changesOutput: flag,
      isNearest: { type: "boolean", description: "Whether every nearer value was tried." },
    },
    required: ["status", "changesRule", "changesOutput", "isNearest"],
  },
  Bands: {
    type: "object",
    description: "Which rule matches for which values of a number or a date.",
    properties: { step: { type: "number" }, exact: flag, list: listOf("Band") },
    required: ["step", "exact", "list"],
  },
  Band: {
    type: "object",
    properties: { from: anything, to: anything, status: text, matchedRule: text },
    required: ["from", "to", "status"],
  },
};

/**
 * Describes the explanation of an evaluation, which takes the same calls and refuses the same ones.
 *
 * @param name - the name of the decision, or its version, among the operations
 */
export function explainOperation(
  { summary, ...evaluation }: OperationObject,
  name: string,
  { deprecation }: ServedVersion,
): OperationObject {
  const content = json(schemaRef("Explanation"));
  return {
    ...evaluation,
    operationId: `explain${name}`,
    summary: `${summary}: what would change the answer`,
    responses: {
      ...evaluation.responses,
      "200": ok("The answer, and what would change it.", content, headersOf(deprecation)),
    },
  };
}
