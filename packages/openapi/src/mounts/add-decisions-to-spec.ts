import { DecernError, type Problem } from "@decern/core";
import { decisionPath, normalizePrefix } from "@decern/core/host";
import { optionProblems } from "@decern/core/tools";
import { decisionsTag } from "../paths/decision-operation.js";
import { planService, type ServedDecision } from "../versions/serve-plan.js";
import { danglingReferences } from "./dangling-references.js";
import { type DecisionMount, mountKinds } from "./decision-mount.js";
import { describeMount } from "./describe-mount.js";
import { documentProblems, fieldsOf, type HostDocument, type Named } from "./host-document.js";
import { renameReferences } from "./rename-references.js";

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
