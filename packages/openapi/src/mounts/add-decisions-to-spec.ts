import { DecernError, type Decision, type Problem, type VersionPolicy } from "@decern/core";
import {
  decisionPath,
  endpointKind,
  normalizePrefix,
  prefixKind,
  type SecurityDescription,
} from "@decern/core/host";
import { checkOptions, type OptionTable, optionKinds, optionProblems } from "@decern/core/tools";
import { planService, type ServedDecision } from "../components/served-decisions.js";
import {
  copyInfo,
  infoWithDefaults,
  type OpenAPIDocument,
  type OpenAPIInfo,
  type ReferenceObject,
  type ResponseObject,
  serverUrl,
} from "../document/document.js";
import { partialInfoKind, responsesKind, securityKind } from "../document/option-kinds.js";
import { decisionsTag } from "../paths/decision-operation.js";
import { describeMount } from "./describe-mount.js";
import {
  danglingReferences,
  documentProblems,
  fieldsOf,
  type HostDocument,
  type Named,
  renameReferences,
} from "./host-document.js";

/** A decision router or plugin, as an application has mounted it. */
export interface DecisionMount {
  readonly decisions: readonly Decision[];
  /**
   * The path of the decisions without their ids, from the server's URL: where the application mounts the router, and the
   * router's own prefix.
   * @default none
   */
  readonly prefix?: string | undefined;
  /** The `versions` of the router or plugin. Required for each id with several versions. */
  readonly versions?: Readonly<Record<string, VersionPolicy | undefined>> | undefined;
  /** Whether the router or plugin has a `log`. @default false */
  readonly records?: boolean | undefined;
  /** How the application authenticates callers. @default what the document says of all its operations */
  readonly security?: SecurityDescription | undefined;
  /** What the application itself replies before or instead of a decision, such as its own 401, by status. */
  readonly responses?: Readonly<Record<string, ResponseObject | ReferenceObject>> | undefined;
}

/** The kinds of {@link DecisionMount}. */
const mountKinds: OptionTable<DecisionMount> = {
  // `createGeneration` checks what is inside both.
  decisions: optionKinds.listOf(optionKinds.anything),
  versions: optionKinds.object,
  prefix: prefixKind,
  records: optionKinds.flag,
  security: securityKind,
  responses: responsesKind,
};

/**
 * Adds decisions to the OpenAPI document of an application, beside the application's own routes. The decisions' components
 * and operations get names that the document does not have yet.
 *
 * @param document - of OpenAPI 3.0. It is not changed
 * @param mount - what the application has mounted, and where
 * @returns a document with both
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * await app.register(swagger, {
 *   openapi: { info: { title: "Shop", version: "1.0.0" } },
 *   transformObject: (documents) =>
 *     "openapiObject" in documents
 *       ? addDecisionsToSpec(documents.openapiObject, { decisions, prefix: "/decisions" })
 *       : documents.swaggerObject,
 * });
 * ```
 */
export function addDecisionsToSpec<Document extends HostDocument>(
  document: Document,
  mount: DecisionMount,
): Document {
  const problems = [
    ...documentProblems(document),
    ...optionProblems(mount, { kinds: mountKinds, required: ["decisions"] }),
  ];
  refuse(problems);
  const { security, responses = {}, records = false } = mount;
  const prefix = normalizePrefix(mount.prefix);
  const components = fieldsOf(document.components);
  const schemes = fieldsOf(components["securitySchemes"]);
  const scheme = security === undefined ? undefined : schemes[security.name];
  if (scheme !== undefined && JSON.stringify(scheme) !== JSON.stringify(security?.scheme)) {
    refuse([{ path: "/security/name", message: `is the name of another scheme in the document` }]);
  }
  refuse(danglingReferences(responses, components));
  const served = planService(mount.decisions, mount.versions);
  const { operations, components: own, renamed } = describeMount(served, prefix, document, records);
  const paths: Record<string, unknown> = withoutPatterns(fieldsOf(document.paths), served, prefix);
  for (const [path, operation] of operations) {
    const described = fieldsOf(renameReferences(operation, renamed));
    paths[path] = {
      ...fieldsOf(paths[path]),
      post: {
        ...described,
        // What the application says may refer to its own components.
        responses: { ...fieldsOf(described["responses"]), ...responses },
        ...(security === undefined ? {} : { security: [{ [security.name]: [] }] }),
      },
    };
  }
  const added = Object.entries(own).map(([section, some]) => [
    section,
    { ...fieldsOf(components[section]), ...fieldsOf(renameReferences(some, renamed)) },
  ]);
  return {
    ...document,
    tags: withTag(document.tags),
    paths,
    components: {
      ...components,
      ...Object.fromEntries(added),
      ...(security === undefined
        ? {}
        : { securitySchemes: { ...schemes, [security.name]: security.scheme } }),
    },
  };
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0)
    throw new DecernError("INVALID_OPTIONS", { detail: "addDecisionsToSpec", problems });
}

/**
 * Leaves out what `@fastify/swagger` has found: the plugin's route for all versions of a decision. The document has a path for
 * each version instead.
 */
function withoutPatterns(
  paths: Named,
  served: readonly ServedDecision[],
  prefix: string,
): Record<string, unknown> {
  const starts = new Set(served.map(({ main }) => `${decisionPath(prefix, main.decision.id)}/versions/`));
  const entries = Object.entries(paths).flatMap(([path, item]) => {
    const [, start, parameter] = /^(.*\/)(\{[^/]+\})$/.exec(path) ?? [];
    if (start === undefined || parameter === undefined || !starts.has(start)) return [[path, item] as const];
    const { post: _post, ...others } = fieldsOf(item);
    return Object.keys(others).length === 0 ? [] : [[path, others] as const];
  });
  return Object.fromEntries(entries);
}

function withTag(tags: readonly object[] = []): readonly object[] {
  const isThere = tags.some((tag) => fieldsOf(tag)["name"] === decisionsTag.name);
  return isThere ? tags : [...tags, decisionsTag];
}

/** Options of {@link generateAdapterSpec}. */
export interface AdapterSpecOptions extends DecisionMount {
  /** The document's `info`. @default title "Decision service", version "1.0.0" */
  readonly info?: Partial<OpenAPIInfo> | undefined;
  /** Where the document is read. The server's URL is then relative to it, and works behind a path prefix. @default `/` is the server's URL */
  readonly documentPath?: string | undefined;
}

/**
 * Describes the decisions of an Express router or a Fastify plugin as an OpenAPI 3.0.3 document, at the paths where the
 * application serves them.
 *
 * @returns plain data, ready for `JSON.stringify`
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * app.use("/api", createDecisionRouter({ decisions, prefix: "decisions" }));
 * const document = generateAdapterSpec({ decisions, prefix: "/api/decisions" });
 * app.get("/api/openapi.json", (_request, response) => response.json(document));
 * ```
 */
export function generateAdapterSpec(options: AdapterSpecOptions): OpenAPIDocument {
  checkOptions("generateAdapterSpec", options, {
    kinds: { ...mountKinds, info: partialInfoKind, documentPath: endpointKind },
    required: ["decisions"],
  });
  const { info, documentPath, ...mount } = options;
  const empty: OpenAPIDocument = {
    openapi: "3.0.3",
    info: copyInfo(infoWithDefaults(info)),
    servers: [{ url: serverUrl(documentPath), description: "The server that serves this document" }],
    security: [],
    tags: [],
    paths: {},
    components: { schemas: {}, responses: {}, parameters: {}, headers: {} },
  };
  return addDecisionsToSpec(empty, mount);
}
