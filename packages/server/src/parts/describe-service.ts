import type { ServiceDescription } from "@decern/core";
import type { MountedRoute } from "@decern/core/host";
import type { Generation } from "../base/values.js";
import type { ServerSettings } from "../options/read-options.js";

/** Describes a server for its OpenAPI document. */
export function describeService(
  settings: ServerSettings,
  current: Generation,
  routes: readonly MountedRoute[],
): ServiceDescription {
  const { metrics, openapi, authenticate, overload, log, versions, explain } = settings;
  const described = routes.flatMap(({ method, path, open, operation }) =>
    operation === undefined ? [] : [{ method, path, open, operation }],
  );
  return {
    metricsEndpoint: metrics?.endpoint,
    openapiEndpoint: openapi?.endpoint,
    docs: settings.docs,
    swaggerEndpoint: openapi?.swaggerUI === true ? openapi.swaggerEndpoint : undefined,
    profileOverride: settings.profileOverride,
    callerProfiles: describeOffered(current),
    sheddingLoad: overload !== undefined,
    records: log !== undefined,
    explains: explain !== undefined,
    maxBatch: settings.maxBatch,
    security: authenticate?.security,
    publicMetrics: settings.publicMetrics,
    versions: versions === undefined ? undefined : describeVersions(current, versions),
    facades: described.length === 0 ? undefined : described,
  };
}

/** The names of the profiles that callers may choose. */
function describeOffered({ decisions }: Generation): ServiceDescription["callerProfiles"] {
  const offering = [...decisions.values()].filter(({ offered }) => offered.size > 0);
  if (offering.length === 0) return undefined;
  return Object.fromEntries(offering.map(({ id, offered }) => [id, [...offered]]));
}

/** Describes the versions of each id for which the host gave a policy. */
function describeVersions(
  { decisions }: Generation,
  policies: object,
): NonNullable<ServiceDescription["versions"]> {
  const described = [...decisions.values()]
    .filter(({ id }) => Object.hasOwn(policies, id))
    .map(({ id, standard, versions, retired }) => {
      const deprecated = [...versions].flatMap(([version, { deprecation }]) =>
        deprecation === undefined ? [] : [[version, deprecation] as const],
      );
      const policy = {
        default: standard.decision.version,
        deprecated: Object.fromEntries(deprecated),
        retired: [...retired],
      };
      return [id, policy] as const;
    });
  return Object.fromEntries(described);
}
