import { ERRORS, type Problem } from "@decern/core";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { ComponentNames, nameDecisions, type ServedDecision } from "../components/component-names.js";
import { ComponentSchemas } from "../components/component-schemas.js";
import {
  callParameters,
  callResponses,
  error,
  invalidCall,
  recordHeaders,
  recordIdHeader,
  replyHeaders,
  responseRef,
  unrecorded,
  usedDeprecationHeaders,
  versionResponses,
} from "../components/shared-responses.js";
import { replySchemas } from "../components/shared-schemas.js";
import { type OperationObject, type ResponseObject, referencesIn } from "../document/document.js";
import { describeEvaluations } from "../paths/decision-operation.js";
import type { CallHost } from "../paths/route-operation.js";

/** The OpenAPI 3.0 document of an application. */
export interface HostDocument {
  readonly openapi?: string | undefined;
  readonly paths?: object | undefined;
  readonly components?: object | undefined;
  readonly tags?: readonly object[] | undefined;
}

/** A part of a document, by name. */
export type Named = Readonly<Record<string, unknown>>;

/** Rejects other versions, in which schemas mean something else. */
export function documentProblems(document: unknown): readonly Problem[] {
  if (!isJsonObject(document)) return [{ path: "/document", message: "must be an OpenAPI 3.0 document" }];
  const { openapi } = document;
  return typeof openapi === "string" && openapi.startsWith("3.0.")
    ? []
    : [{ path: "/document/openapi", message: "must be a version of OpenAPI 3.0, such as 3.0.3" }];
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Named {
  return isJsonObject(value) ? value : {};
}

/** The `operationId` of every operation of a document. */
function operationIds({ paths }: HostDocument): readonly string[] {
  return Object.values(fieldsOf(paths))
    .flatMap((item) => Object.values(fieldsOf(item)))
    .flatMap((operation) => {
      const { operationId } = fieldsOf(operation);
      return typeof operationId === "string" ? [operationId] : [];
    });
}

/** Finds responses that refer to components which a document does not have. */
export function danglingReferences(responses: Named, components: Named): readonly Problem[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    referencesIn(response)
      .filter((ref) => {
        const [, section, name] = /^#\/components\/([^/]+)\/([^/]+)$/.exec(ref) ?? [];
        return (
          section !== undefined && name !== undefined && !Object.hasOwn(fieldsOf(components[section]), name)
        );
      })
      .map((ref) => ({
        path: `/responses/${escapePointer(status)}`,
        message: `refers to ${ref}, which the document does not have`,
      })),
  );
}

/** How the adapters take calls. What the application's own handlers reply is not described here. */
const mountedHost = (records: boolean): CallHost => ({
  records,
  describesSelected: true,
  body: "bare input",
  eitherProfile: true,
  profileNames: () => [],
  responses: (isPinned) => ({
    "400": responseRef("InvalidCall"),
    ...(isPinned ? { "404": responseRef("VersionNotFound"), "410": responseRef("VersionRetired") } : {}),
    "413": responseRef("BodyTooLarge"),
    "415": responseRef("UnsupportedMediaType"),
    "500": responseRef("EvaluationFailed"),
    "503": responseRef("Unavailable"),
    default: responseRef("Refused"),
  }),
});

const unavailable = "A hook timed out, or profiles are not loaded yet.";

const mountedResponses = (records: boolean): Readonly<Record<string, ResponseObject>> => ({
  ...callResponses(records),
  InvalidCall: invalidCall(
    "The input does not match its schema (the body is an envelope with `status`), the body is not valid JSON, or a hook rejected the call.",
    records,
    { error: ERRORS.INVALID_JSON.message, code: "INVALID_JSON" },
  ),
  Unavailable: records ? unrecorded(unavailable) : error("HOOK_TIMEOUT", unavailable),
  Refused: error(
    "EVALUATION_ABORTED",
    "A hook rejected the call with its own 4xx status and code.",
    recordIdHeader(records),
  ),
});

const sections = ["schemas", "responses", "parameters", "headers"] as const;

/** The components that all decisions of a mount share, under names that are free in a document. */
interface SharedComponents {
  readonly components: Readonly<Record<(typeof sections)[number], Named>>;
  /** Claims further names of schemas. */
  readonly schemaNames: ComponentNames;
  /** The reference to each component that got another name than usual, by its usual one. */
  readonly renamed: ReadonlyMap<string, string>;
}

/**
 * Names the components that all decisions share.
 *
 * @param document - its own components keep their names
 * @param records - whether calls are recorded
 */
function nameSharedComponents(
  served: readonly ServedDecision[],
  document: HostDocument,
  records: boolean,
): SharedComponents {
  const hosts = fieldsOf(document.components);
  const isVersioned = served.some(({ versions }) => versions !== undefined);
  const shared: SharedComponents["components"] = {
    schemas: replySchemas,
    responses: { ...mountedResponses(records), ...(isVersioned ? versionResponses : {}) },
    parameters: callParameters,
    headers: { ...replyHeaders, ...(records ? recordHeaders : {}), ...usedDeprecationHeaders(served) },
  };
  // The components of an earlier mount in the same document serve this one too.
  const isThere = sections.every((section) => hasSame(fieldsOf(hosts[section]), shared[section]));
  const renamed = new Map<string, string>();
  const nameSection = (section: (typeof sections)[number], names: ComponentNames): Named => {
    for (const name of Object.keys(fieldsOf(hosts[section]))) {
      if (!isThere || !Object.hasOwn(shared[section], name)) names.claim(name);
    }
    return Object.fromEntries(
      Object.entries(shared[section]).map(([usual, component]) => {
        const name = names.claim(usual);
        const prefix = `#/components/${section}/`;
        if (name !== usual) renamed.set(prefix + usual, prefix + name);
        return [name, component];
      }),
    );
  };
  const schemaNames = new ComponentNames();
  const components = {
    schemas: nameSection("schemas", schemaNames),
    responses: nameSection("responses", new ComponentNames()),
    parameters: nameSection("parameters", new ComponentNames()),
    headers: nameSection("headers", new ComponentNames()),
  };
  return { components, schemaNames, renamed };
}

/** Whether each of the components is either the same in the document or not there. */
function hasSame(hosts: Named, shared: Named): boolean {
  return Object.entries(shared).every(
    ([name, component]) =>
      !Object.hasOwn(hosts, name) || JSON.stringify(hosts[name]) === JSON.stringify(component),
  );
}

interface DescribedMount extends Pick<SharedComponents, "components" | "renamed"> {
  /** By path. Each is a `POST`. References have their usual names. */
  readonly operations: readonly (readonly [path: string, operation: OperationObject])[];
}

/**
 * Describes mounted decisions.
 *
 * @param prefix - of the paths
 * @param document - its names are not used again
 * @param records - whether calls are recorded
 */
export function describeMount(
  served: readonly ServedDecision[],
  prefix: string,
  document: HostDocument,
  records: boolean,
): DescribedMount {
  const host = mountedHost(records);
  const { components, schemaNames, renamed } = nameSharedComponents(served, document, records);
  const schemas = new ComponentSchemas(schemaNames);
  const ids = new ComponentNames();
  for (const id of operationIds(document)) ids.claim(id);
  const operations = nameDecisions(served, schemaNames)
    .flatMap((named) => describeEvaluations(named, prefix, schemas, host, (id) => ids.claim(id)))
    .map(({ path, operation }) => [path, operation] as const);
  return {
    components: { ...components, schemas: { ...components.schemas, ...schemas.toObject() } },
    operations,
    renamed,
  };
}
