import type { Problem } from "@decern/core";
import { feature } from "@decern/core/tools";
import { isRecord } from "../is-record.js";

/** A feature that is on, or the reason why it cannot be used. */
interface CheckedFeature<Feature> {
  readonly feature: Feature | undefined;
  readonly problems: readonly Problem[];
}

type FeatureName = "explain" | "metrics" | "openapi";

const off = { feature: undefined, problems: [] } as const;

/**
 * Distinguishes a feature that its package built from plain options.
 *
 * @returns the feature if it is on; a problem for plain options with `enabled: true`, which would be ignored
 */
export function enabledFeature<Feature extends { readonly enabled: boolean; readonly [feature]: string }>(
  name: FeatureName,
  given: Feature | { readonly enabled?: false | undefined } | undefined,
): CheckedFeature<Feature> {
  if (given === undefined) return off;
  if (!isRecord(given)) return notBuilt(name, "is not a feature");
  if (feature in given) {
    if (given[feature] !== name) return notBuilt(name, `was built by ${given[feature]}()`);
    return given.enabled ? { feature: given, problems: [] } : off;
  }
  const { enabled }: { readonly enabled?: unknown } = given;
  if (enabled === undefined || enabled === false) return off;
  return notBuilt(name, "is a plain object");
}

function notBuilt(name: FeatureName, what: string): CheckedFeature<never> {
  const message =
    `${what}. Install @decern/${name}, then write: import { ${name} } from "@decern/${name}"; ` +
    `createServer({ ${name}: ${name}(${name === "explain" ? "" : "{ enabled: true }"}) })`;
  return { feature: undefined, problems: [{ path: `/${name}`, message }] };
}
