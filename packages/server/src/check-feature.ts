import { DecernError, feature } from "@decern/core";

/**
 * Tells a feature that its package built from plain options.
 *
 * @returns the feature when it is on, else nothing
 * @throws DecernError `INVALID_OPTIONS` for plain options with `enabled: true`: they would be ignored
 */
export function enabledFeature<Feature extends { readonly enabled: boolean; readonly [feature]: string }>(
  name: "metrics" | "openapi",
  given: Feature | { readonly enabled?: false | undefined } | undefined,
): Feature | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null) throw notBuilt(name, "is no feature");
  if (feature in given) {
    if (given[feature] !== name) throw notBuilt(name, `is what ${given[feature]}() built`);
    return given.enabled ? given : undefined;
  }
  const { enabled }: { readonly enabled?: unknown } = given;
  if (enabled === undefined || enabled === false) return undefined;
  throw notBuilt(name, "is plain options");
}

function notBuilt(name: "metrics" | "openapi", what: string): DecernError {
  return new DecernError("INVALID_OPTIONS", {
    detail: "createServer",
    problems: [
      {
        path: `/${name}`,
        message:
          `${what}. Install @decern/${name}, then write: import { ${name} } from "@decern/${name}"; ` +
          `createServer({ ${name}: ${name}({ enabled: true }) })`,
      },
    ],
  });
}
