import type { DecisionInfo, DecisionSchema } from "@decern/core";

/** What the docs page asks for first. */
export interface DocsCatalogue {
  /** Whether a call has to carry an API key. */
  readonly secured: boolean;
  /** Whether a call may carry a profile. */
  readonly profileOverride: boolean;
  readonly decisions: readonly DocsListEntry[];
}

/** A decision as the page's list shows it: as little as the list and its search need. */
export type DocsListEntry = Omit<DecisionInfo, "meta">;

/** What the docs page asks for when a decision is opened. */
export interface DocsDecision extends DecisionInfo, DecisionSchema {
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly string[];
  /** What a call without a profile is evaluated with. */
  readonly defaultProfile: unknown;
}
