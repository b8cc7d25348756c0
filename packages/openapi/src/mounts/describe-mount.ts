import { decisionPath } from "@decern/core/host";
import { ComponentNames } from "../components/component-names.js";
import { ComponentSchemas } from "../components/component-schemas.js";
import type { OperationObject } from "../document/document.js";
import { addDecisionSchemas, decisionOperation } from "../paths/decision-operation.js";
import { nameDecisions } from "../paths/name-decisions.js";
import { versionPath } from "../paths/version-paths.js";
import type { ServedDecision } from "../versions/serve-plan.js";
import { type HostDocument, operationIds } from "./host-document.js";
import { mountedHost } from "./mounted-host.js";
import { nameSharedComponents, type SharedComponents } from "./shared-components.js";

/** What a mount adds to a document. */
export interface DescribedMount extends Pick<SharedComponents, "components" | "renamed"> {
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
  const operations: (readonly [string, OperationObject])[] = [];
  for (const { served: one, name, versionNames } of nameDecisions(served, schemaNames)) {
    const { main, versions = [], isSelected } = one;
    const { id } = main.decision;
    const others = versions
      .filter((version) => version !== main)
      .map((version) => ({ version, name: versionNames.get(version.decision) ?? name }));
    addDecisionSchemas(main.decision, name, schemas, host);
    for (const other of others) {
      addDecisionSchemas(other.version.decision, other.name, schemas, host);
    }
    operations.push([
      decisionPath(prefix, id),
      decisionOperation(
        main,
        {
          operationId: ids.claim(`evaluate${name}`),
          schemaNames: [name, ...(isSelected ? others.map((other) => other.name) : [])],
          isPinned: false,
        },
        schemas,
        host,
      ),
    ]);
    for (const version of versions) {
      const operationName = versionNames.get(version.decision) ?? name;
      operations.push([
        versionPath(prefix, id, version.decision.version),
        decisionOperation(
          version,
          {
            operationId: ids.claim(`evaluate${operationName}`),
            schemaNames: [version === main ? name : operationName],
            isPinned: true,
          },
          schemas,
          host,
        ),
      ]);
    }
  }
  return {
    components: { ...components, schemas: { ...components.schemas, ...schemas.toObject() } },
    operations,
    renamed,
  };
}
