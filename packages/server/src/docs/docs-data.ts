import type { DecisionInfo, DecisionSchema } from "@decern/core";

/** The first data that the docs page loads. */
export interface DocsCatalogue {
  /** Whether calls must carry an API key. */
  readonly secured: boolean;
  /** Whether calls may carry a profile. */
  readonly profileOverride: boolean;
  readonly decisions: readonly DocsListEntry[];
}

/** A decision as the page's list shows it: as little as the list and its search need. */
export type DocsListEntry = Omit<DecisionInfo, "meta">;

/** The data that the docs page loads when a decision is opened. */
export interface DocsDecision extends DecisionInfo, DecisionSchema {
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly string[];
  /** The profile of calls that carry none. */
  readonly defaultProfile: unknown;
}
