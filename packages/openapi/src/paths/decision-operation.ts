import { type Decision, toJsonSchema } from "@decern/core";
import { decisionPath, type Served } from "@decern/core/host";
import { okResultSchema } from "@decern/core/schema";
import type { NamedDecision } from "../components/component-names.js";
import { type ComponentSchemas, schemaExample, schemaRef } from "../components/component-schemas.js";
import {
  deprecationNotice,
  headersOf,
  parameterRef,
  recordIdHeader,
} from "../components/shared-responses.js";
import {
  type MediaTypeObject,
  type OperationObject,
  plainText,
  referencesIn,
  type SchemaObject,
} from "../document/document.js";
import { type CallHost, ok } from "./route-operation.js";

export const decisionsTag = { name: "Decisions", description: "Evaluate a decision." } as const;

/**
 * Adds the schemas of one decision to the components.
 *
 * @param name - the name of the decision among the components, already claimed with each suffix
 */
function addDecisionSchemas(
  decision: Decision,
  name: string,
  schemas: ComponentSchemas,
  { body, profileNames, eitherProfile }: CallHost,
): void {
  schemas.add(`${name}Input`, toJsonSchema(decision.inputSchema, "input"));
  schemas.add(`${name}Output`, toJsonSchema(decision.outputSchema, "output"));
  if (body === "input and profile") {
    schemas.add(`${name}Profile`, toJsonSchema(decision.profileSchema, "input"));
  }
  if (body !== "bare input") {
    schemas.set(`${name}Request`, requestSchema(name, body, eitherProfile, profileNames(decision.id)));
  }
  schemas.set(`${name}OkResult`, okResultSchema(schemaRef(`${name}Output`), schemaRef("MatchMeta")));
  schemas.set(`${name}Result`, resultSchema(name));
}

function versionPath(prefix: string, { id, version }: Decision): string {
  return `${decisionPath(prefix, id)}/versions/${encodeURIComponent(version)}`;
}

/** An operation that evaluates a decision, or one version of it. */
export interface Evaluation {
  readonly path: string;
  readonly version: Served["standard"];
  readonly name: string;
  readonly operation: OperationObject;
}

/**
 * Describes the evaluation of a decision, then that of each of its versions. Adds their schemas.
 *
 * @param claim - makes an operation's id unique
 */
export function describeEvaluations(
  { served: { main, versions = [], isSelected }, name, versionNames }: NamedDecision,
  prefix: string,
  schemas: ComponentSchemas,
  host: CallHost,
  claim: (operationId: string) => string = (operationId) => operationId,
): readonly [Evaluation, ...Evaluation[]] {
  const nameOf = ({ decision }: Served["standard"]): string => versionNames.get(decision) ?? name;
  const others = versions.filter((version) => version !== main);
  addDecisionSchemas(main.decision, name, schemas, host);
  for (const other of others) addDecisionSchemas(other.decision, nameOf(other), schemas, host);
  const selected = isSelected && host.describesSelected ? others.map(nameOf) : [];
  const own = { operationId: claim(`evaluate${name}`), schemaNames: [name, ...selected], isPinned: false };
  return [
    {
      path: decisionPath(prefix, main.decision.id),
      version: main,
      name,
      operation: decisionOperation(main, own, schemas, host),
    },
    ...versions.map((version) => {
      const operationId = claim(`evaluate${nameOf(version)}`);
      const names = {
        operationId,
        schemaNames: [version === main ? name : nameOf(version)],
        isPinned: true,
      };
      return {
        path: versionPath(prefix, version.decision),
        version,
        name: nameOf(version),
        operation: decisionOperation(version, names, schemas, host),
      };
    }),
  ];
}

/** What an operation is called, and which schemas it has. */
interface OperationNames {
  readonly operationId: string;
  /** The name among the components of each version that may evaluate a call. The first has the example. */
  readonly schemaNames: readonly string[];
  readonly isPinned: boolean;
}

function decisionOperation(
  { decision, deprecation }: Served["standard"],
  { operationId, schemaNames, isPinned }: OperationNames,
  schemas: ComponentSchemas,
  host: CallHost,
): OperationObject {
  const { id, version, meta } = decision;
  const paragraphs = [
    ...(decision.description === undefined ? [] : [plainText(decision.description)]),
    ...(deprecation === undefined ? [] : [plainText(deprecationNotice(deprecation))]),
  ];
  return {
    operationId,
    summary: isPinned ? `Evaluate ${id}, version ${version}` : `Evaluate ${id}`,
    ...(paragraphs.length === 0 ? {} : { description: paragraphs.join("\n\n") }),
    ...(deprecation === undefined ? {} : { deprecated: true }),
    tags: [decisionsTag.name],
    parameters: [parameterRef("RequestId")],
    requestBody: {
      required: true,
      content: { "application/json": requestMedia(schemaNames, schemas, host) },
    },
    responses: {
      "200": ok(
        "A rule matched, or no rule did.",
        { "application/json": { schema: anyOf(schemaNames.map((name) => `${name}Result`)) } },
        { ...headersOf(deprecation), ...recordIdHeader(host.records) },
      ),
      ...host.responses(isPinned),
    },
    "x-decision-id": id,
    "x-decision-version": version,
    ...(meta === undefined || referencesIn(meta).length > 0 ? {} : { "x-decision-meta": meta }),
  };
}

/** Keywords of a body that has a profile, the name of one, or neither. */
export const notBothProfiles: SchemaObject = {
  // Linters want what is required to be a property.
  not: { properties: { profile: {}, profileName: {} }, required: ["profile", "profileName"] },
};

function requestSchema(
  name: string,
  body: CallHost["body"],
  eitherProfile: boolean,
  profiles: readonly string[],
): SchemaObject {
  const profileName = {
    type: "string",
    enum: profiles,
    description: "A profile of the service, by its name.",
  };
  return {
    type: "object",
    properties: {
      input: schemaRef(`${name}Input`),
      ...(body === "input and profile" ? { profile: schemaRef(`${name}Profile`) } : {}),
      ...(profiles.length === 0 ? {} : { profileName }),
    },
    required: ["input"],
    ...(body === "input and profile" && eitherProfile && profiles.length > 0 ? notBothProfiles : {}),
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

function anyOf(names: readonly string[]): SchemaObject {
  const [first, ...others] = names.map(schemaRef);
  return first !== undefined && others.length === 0 ? first : { anyOf: names.map(schemaRef) };
}

/** Includes a profile in the example only if the profile's schema provides one. */
function requestMedia(
  names: OperationNames["schemaNames"],
  schemas: ComponentSchemas,
  { body }: CallHost,
): MediaTypeObject {
  const [name = ""] = names;
  const resolve = (ref: string) => schemas.resolve(ref);
  const schema = anyOf(names.map((one) => one + (body === "bare input" ? "Input" : "Request")));
  const input = schemaExample(schemaRef(`${name}Input`), resolve);
  if (input === undefined) return { schema };
  if (body === "bare input") return { schema, example: input[0] };
  const profile =
    body === "input and profile" ? schemaExample(schemaRef(`${name}Profile`), resolve) : undefined;
  return {
    schema,
    example: { input: input[0], ...(profile === undefined ? {} : { profile: profile[0] }) },
  };
}
