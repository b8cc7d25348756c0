import { type Decision, toJsonSchema } from "@decern/core";
import type { ServiceDescription } from "@decern/core/host";
import { okResultSchema } from "@decern/core/schema";
import {
  commonResponses,
  ofDecision,
  ok,
  securedResponses,
  unavailable,
} from "../components/common-responses.js";
import { type ComponentSchemas, schemaRef } from "../components/component-schemas.js";
import { schemaExample } from "../components/schema-example.js";
import { parameterRef, responseRef } from "../components/shared-responses.js";
import { hasReference } from "../convert/data-references.js";
import type { MediaTypeObject, OperationObject, SchemaObject } from "../document/document.js";
import { plainText } from "../document/plain-text.js";

/** The suffixes of a decision's component names. */
export const decisionSuffixes = ["Input", "Profile", "Output", "Request", "OkResult", "Result"] as const;

/**
 * Describes the evaluation of one decision, and adds its schemas to the components.
 *
 * @param name - the name of the decision among the components, already claimed with each of {@link decisionSuffixes}
 */
export function decisionOperation(
  decision: Decision,
  name: string,
  schemas: ComponentSchemas,
  service: ServiceDescription,
): OperationObject {
  const { id, version, description, meta } = decision;
  schemas.add(`${name}Input`, toJsonSchema(decision.inputSchema, "input"));
  schemas.add(`${name}Output`, toJsonSchema(decision.outputSchema, "output"));
  if (service.profileOverride !== false) {
    schemas.add(`${name}Profile`, toJsonSchema(decision.profileSchema, "input"));
  }
  schemas.set(`${name}Request`, requestSchema(name, service));
  schemas.set(`${name}OkResult`, okResultSchema(schemaRef(`${name}Output`), schemaRef("MatchMeta")));
  schemas.set(`${name}Result`, resultSchema(name));
  return {
    operationId: `evaluate${name}`,
    summary: `Evaluate ${id}`,
    ...(description === undefined ? {} : { description: plainText(description) }),
    tags: ["Decisions"],
    parameters: [parameterRef("RequestId")],
    requestBody: {
      required: true,
      content: { "application/json": requestMedia(name, schemas, service) },
    },
    responses: {
      "200": ok("A rule matched, or no rule did.", {
        "application/json": { schema: schemaRef(`${name}Result`) },
      }),
      "400": responseRef("InvalidCall"),
      ...securedResponses(service),
      "403": responseRef("Forbidden"),
      ...ofDecision,
      ...commonResponses,
      ...unavailable,
      "413": responseRef("BodyTooLarge"),
      "415": responseRef("UnsupportedMediaType"),
      "500": responseRef("EvaluationFailed"),
      default: responseRef("Refused"),
    },
    "x-decision-id": id,
    "x-decision-version": version,
    ...(meta === undefined || hasReference(meta) ? {} : { "x-decision-meta": meta }),
  };
}

function requestSchema(name: string, service: ServiceDescription): SchemaObject {
  return {
    type: "object",
    properties: {
      input: schemaRef(`${name}Input`),
      ...(service.profileOverride === false ? {} : { profile: schemaRef(`${name}Profile`) }),
    },
    required: ["input"],
  };
}

function resultSchema(name: string): SchemaObject {
  const matched = schemaRef(`${name}OkResult`);
  const noMatch = schemaRef("NoMatchResult");
  return {
    oneOf: [matched, noMatch],
    discriminator: { propertyName: "status", mapping: { OK: matched.$ref, NO_MATCH: noMatch.$ref } },
  };
}

/** Includes a profile in the example only if the profile's schema provides one. */
function requestMedia(name: string, schemas: ComponentSchemas, service: ServiceDescription): MediaTypeObject {
  const resolve = (ref: string) => schemas.resolve(ref);
  const schema = schemaRef(`${name}Request`);
  const input = schemaExample(schemaRef(`${name}Input`), resolve);
  if (input === undefined) return { schema };
  const profile =
    service.profileOverride === false ? undefined : schemaExample(schemaRef(`${name}Profile`), resolve);
  return {
    schema,
    example: { input: input[0], ...(profile === undefined ? {} : { profile: profile[0] }) },
  };
}
