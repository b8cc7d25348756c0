import type { Served } from "@decern/core/host";
import { schemaRef } from "../components/component-schemas.js";
import { headersOf } from "../components/shared-responses.js";
import { listOf, object } from "../components/shared-schemas.js";
import type { OperationObject, SchemaObject } from "../document/document.js";
import { json, ok } from "./route-operation.js";

const text: SchemaObject = { type: "string" };
const flag: SchemaObject = { type: "boolean" };
const anything: SchemaObject = {};

export const explanationSchemas: Readonly<Record<string, SchemaObject>> = {
  Explanation: object(
    {
      envelope: { type: "object", additionalProperties: true, description: "The result." },
      fields: listOf("FieldExplanation"),
      evaluations: { type: "integer", minimum: 0 },
      complete: { type: "boolean", description: "Whether every field was searched in full." },
      skipped: {
        type: "array",
        items: { type: "string" },
        description: "JSON Pointers of fields that weren't searched in full.",
      },
    },
    ["skipped"],
    "What would change a result, the nearest change first.",
  ),
  FieldExplanation: object(
    {
      path: { type: "string", description: "A JSON Pointer into the input." },
      value: anything,
      flips: listOf("Flip"),
      bands: schemaRef("Bands"),
    },
    ["value", "bands"],
    "A field of the input that changes the result.",
  ),
  Flip: object(
    {
      to: anything,
      status: { type: "string", enum: ["OK", "NO_MATCH"] },
      matchedRule: text,
      explanation: text,
      data: anything,
      changesRule: flag,
      changesOutput: flag,
      isNearest: { type: "boolean", description: "Whether every nearer value was tried." },
    },
    ["to", "matchedRule", "explanation", "data"],
    "A value that changes the result. Without `to`, omitting the field does.",
  ),
  Bands: object(
    { step: { type: "number" }, exact: flag, list: listOf("Band") },
    [],
    "Which rule matches for which values of a number or a date.",
  ),
  Band: object({ from: anything, to: anything, status: text, matchedRule: text }, ["matchedRule"]),
};

/**
 * Describes the explanation of an evaluation, which accepts and rejects the same calls.
 *
 * @param name - the name of the decision, or its version, among the operations
 */
export function explainOperation(
  { summary, ...evaluation }: OperationObject,
  name: string,
  { deprecation }: Served["standard"],
): OperationObject {
  const content = json(schemaRef("Explanation"));
  return {
    ...evaluation,
    operationId: `explain${name}`,
    summary: `${summary}: what would change the result`,
    responses: {
      ...evaluation.responses,
      "200": ok("The result, and what would change it.", content, headersOf(deprecation)),
    },
  };
}
