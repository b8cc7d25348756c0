import type { Decision } from "@decern/core";
import { type ComponentNames, typeName, versionName } from "../components/component-names.js";
import type { ServedDecision } from "../versions/serve-plan.js";
import { decisionSuffixes } from "./decision-operation.js";

/** A decision with its names in a document. */
interface NamedDecision {
  readonly served: ServedDecision;
  /** Its name among the components: the start of the names of its schemas. */
  readonly name: string;
  /** The names of its versions. The default has one too, for the operation that names the version in its path. */
  readonly versionNames: ReadonlyMap<Decision, string>;
}

/**
 * Claims the names of decisions and of their versions. Do this before schemas are added, so that definitions inside schemas
 * never rename a decision.
 */
export function nameDecisions(
  decisions: readonly ServedDecision[],
  names: ComponentNames,
): readonly NamedDecision[] {
  return decisions
    .map((served) => ({
      served,
      name: names.claim(typeName(served.main.decision.id, "Decision"), decisionSuffixes),
    }))
    .map(({ served, name }) => ({ served, name, versionNames: nameVersions(served, name, names) }));
}

/** Names for the versions of a decision. They must also be free with the suffixes that their operations get. */
function nameVersions(
  { versions = [] }: ServedDecision,
  name: string,
  names: ComponentNames,
): ReadonlyMap<Decision, string> {
  const suffixes = [...decisionSuffixes, "Schema", "EndpointSchema"];
  return new Map(
    versions.map(({ decision }) => [decision, names.claim(name + versionName(decision.version), suffixes)]),
  );
}
