import type { HostedVersion, ServiceDescription } from "@decern/core/host";
import { decisionPath } from "@decern/core/host";
import type { PathItemObject } from "../document/document.js";
import { described, routeOperation } from "./route-operation.js";

/** The path of a decision's list of versions. */
export function versionsPath(id: string): string {
  return `${decisionPath("/decisions", id)}/versions`;
}

/** The path of one version of a decision. */
export function versionPath(prefix: string, id: string, version: string): string {
  return `${decisionPath(prefix, id)}/versions/${encodeURIComponent(version)}`;
}

/**
 * Describes the list of a decision's versions.
 *
 * @param name - the name of the decision among the components
 */
export function versionList(
  id: string,
  name: string,
  retired: readonly string[],
  service: ServiceDescription,
): PathItemObject {
  const gone = retired.length === 0 ? "" : ` Retired: ${retired.join(", ")}.`;
  const route = described(
    `list${name}Versions`,
    `List the versions of ${id}`,
    `The versions.${gone}`,
    "VersionList",
    "decision",
  );
  return { get: routeOperation(route, service) };
}

/**
 * Describes the paths with the schemas of one version.
 *
 * @param name - the name of the version among the operations
 */
export function versionSchemaPaths(
  { decision: { id, version } }: HostedVersion,
  name: string,
  service: ServiceDescription,
): readonly [path: string, item: PathItemObject][] {
  const path = versionPath("/decisions", id, version);
  const schema = described(
    `get${name}Schema`,
    `Get the schemas of ${id}, version ${version}`,
    "The schemas.",
    "DecisionSchema",
    "version",
  );
  const endpointSchema = described(
    `get${name}EndpointSchema`,
    `Get the request and response schemas of ${id}, version ${version}`,
    "The schemas.",
    "EndpointSchema",
    "version",
  );
  return [
    [`${path}/schema`, { get: routeOperation(schema, service) }],
    [`${path}/endpoint-schema`, { get: routeOperation(endpointSchema, service) }],
  ];
}
