import { type Decision, describeDecision, extractDecisionSchema } from "@decern/core";
import { defaultProfile } from "@decern/core/host";
import type { DocsDecision, DocsListEntry } from "./docs-data.js";

/** A decision as the page's list shows it. */
export function listForDocs(decision: Decision): DocsListEntry {
  const { meta: _meta, ...entry } = describeDecision(decision);
  return entry;
}

/** A decision with everything that the page shows. */
export function describeForDocs(decision: Decision): DocsDecision {
  return {
    ...describeDecision(decision),
    ...extractDecisionSchema(decision),
    ruleIds: decision.ruleIds,
    defaultProfile: defaultProfile(decision),
  };
}
