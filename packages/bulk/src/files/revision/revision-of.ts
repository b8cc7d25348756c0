import { hash } from "node:crypto";
import { type Decision, extractDecisionSchema } from "@decern/core";
import { type Catalogue, canonicalForm, defaultProfile, program } from "@decern/core/tools";
import type { Revision } from "./revision.js";

/** @param decision - with its profile */
export function revisionOf(decision: Decision, profiles: Catalogue["profiles"]): Revision {
  const { id, version } = decision;
  return {
    decision: { id, version },
    profileHash: sha256Of(defaultProfile(decision)),
    fingerprint: sha256Of(printOf(decision, profiles)),
  };
}

/** All that can be seen of a decision and of what it uses. What its functions close over cannot. */
function printOf(decision: Decision, profiles: Catalogue["profiles"]): unknown {
  const { id, version, ruleIds, uses } = decision;
  return {
    id,
    version,
    ruleIds,
    rules: decision[program].ruleTexts,
    schemas: schemasOf(decision),
    uses: uses.map((used) => ({
      ...Object(printOf(used, profiles)),
      profile: profiles?.profileOf(used) ?? defaultProfile(used),
    })),
  };
}

function schemasOf(decision: Decision): unknown {
  try {
    return extractDecisionSchema(decision);
  } catch {
    // A schema that has no JSON Schema still decides.
    return null;
  }
}

function sha256Of(value: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(value) ?? "null")}`;
}
