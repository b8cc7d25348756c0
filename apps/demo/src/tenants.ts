import type { ProfileResolver } from "@decern/core";

/** Names of the profiles that a caller has for itself, by decision. */
const tenants: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["credit-union", { "loan-approval": "strict" }],
]);

/** Gives a caller its own profile of a decision: the one that `profiles` has as `<id>#<name>`. */
export const tenantProfile: ProfileResolver = ({ caller = "", decisionId, named }) => {
  const name = tenants.get(caller)?.[decisionId];
  return name === undefined ? undefined : named(name);
};
