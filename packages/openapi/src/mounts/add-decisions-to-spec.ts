import { DecernError, type Decision, type Problem, type VersionPolicy } from "@decern/core";
import { decisionPath, endpointKind, prefixKind } from "@decern/core/host";
import { checkedOptions, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { planService, type ServedDecision } from "../components/component-names.js";
import {
  copyInfo,
  infoWithDefaults,
  mapReferences,
  type OpenAPIDocument,
  serverUrl,
} from "../document/document.js";
import { infoRows, responsesKind, securityKind } from "../document/option-kinds.js";
import { decisionsTag } from "../paths/decision-operation.js";
import {
  danglingReferences,
  describeMount,
  documentProblems,
  fieldsOf,
  type HostDocument,
  type Named,
} from "./describe-mount.js";

const mountRows = {
  /** Its decisions. */
  decisions: requiredOption(kinds.listOf(kinds.anything<Decision>())),
  /** The path before the ids, mount included. @default none */
  prefix: option<string>(prefixKind),
  /**
   * Required for several versions.
   *
   * By id: `default`, `deprecated`, `retired`.
   * @default none
   */
  // `createGeneration` checks what is inside.
  versions: option(kinds.object<Readonly<Record<string, VersionPolicy | undefined>>>()),
  /** Whether evaluations are recorded. @default false */
  records: option(kinds.flag, false),
  /** How callers authenticate: `{ name, scheme }`. @default your document's */
  security: option(securityKind),
  /** Your application's own, by status. @default none */
  responses: option(responsesKind),
};

/** A decision router or plugin, as an application has mounted it. */
export interface DecisionMount extends OptionsOf<typeof mountRows> {}

/**
 * Adds decisions to the OpenAPI document of an application, alongside the application's own routes. The decisions' components
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
  const {
    decisions,
    versions,
    security,
    responses,
    records,
    prefix = "",
  } = checkedOptions("addDecisionsToSpec", mount, mountRows, [() => documentProblems(document)]);
  const components = fieldsOf(document.components);
  const schemes = fieldsOf(components["securitySchemes"]);
  const scheme = security === undefined ? undefined : schemes[security.name];
  if (scheme !== undefined && JSON.stringify(scheme) !== JSON.stringify(security?.scheme)) {
    refuse([{ path: "/security/name", message: `is the name of another scheme in the document` }]);
  }
  refuse(danglingReferences(responses ?? {}, components));
  const served = planService(decisions, versions);
  const { operations, components: own, renamed } = describeMount(served, prefix, document, records);
  const renamedFields = (part: unknown) => fieldsOf(mapReferences(part, (ref) => renamed.get(ref), true));
  const paths: Record<string, unknown> = withoutPatterns(fieldsOf(document.paths), served, prefix);
  for (const [path, operation] of operations) {
    const described = renamedFields(operation);
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
    { ...fieldsOf(components[section]), ...renamedFields(some) },
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

const adapterRows = {
  ...mountRows,
  ...infoRows,
  /**
   * Where the document is read.
   *
   * The server's URL is relative to it, so it works behind a path prefix.
   * @default none
   */
  documentPath: option<string>(endpointKind),
};

/** Options of {@link generateAdapterSpec}. */
export interface AdapterSpecOptions extends OptionsOf<typeof adapterRows> {}

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
  const { info, documentPath, ...mount } = checkedOptions("generateAdapterSpec", options, adapterRows);
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
