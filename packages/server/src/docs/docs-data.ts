import type { DecisionInfo, DecisionSchema } from "@decern/core";

/** The first data that the docs page loads. */
export interface DocsCatalogue {
  /** Whether calls must carry an API key. */
  readonly secured: boolean;
  /** Whether calls may carry a profile. */
  readonly profileOverride: boolean;
  /** Whether such a profile is merged into the host's. Absent where it replaces it. */
  readonly profileMerge?: true;
  /** Whether the server tells what would change an answer. Absent where it does not. */
  readonly explains?: true;
  /** Present where the page may evaluate while somebody edits, on the routes under `/docs/live`. */
  readonly live?: true;
  readonly decisions: readonly DocsListEntry[];
}

/** A decision as the page's list shows it: as little as the list, its search and the version menu need. */
export interface DocsListEntry extends Omit<DecisionInfo, "meta"> {
  /** Absent where there is only one version. */
  readonly versions?: readonly DocsVersion[];
  /** Whether the host chooses the version of each call that names none. Absent where that is always the default. */
  readonly selects?: true;
}

/** One version that the host serves. */
export interface DocsVersion {
  readonly version: string;
  /** Present on the default version. */
  readonly default?: true;
  /** Present where the version will go away. */
  readonly deprecated?: DocsDeprecation;
}

/** When a version goes away. Dates are ISO 8601, UTC. */
export interface DocsDeprecation {
  readonly since: string;
  readonly sunset?: string;
  readonly link?: string;
}

/** The data that the docs page loads when a version of a decision is opened. */
export interface DocsDecision extends DecisionInfo, DecisionSchema {
  /** Every version of this id. */
  readonly versions: readonly DocsVersion[];
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly string[];
  /** What its rules are for, by rule id. Absent where no rule says so. */
  readonly ruleDescriptions?: Readonly<Record<string, string>>;
  /** The decisions that its rules may evaluate. */
  readonly uses: readonly { readonly id: string; readonly version: string }[];
  /** The profile of calls that carry none. Absent until the host has loaded its profiles. */
  readonly defaultProfile?: unknown;
  /** The profiles that callers may choose by name. */
  readonly namedProfiles: readonly DocsNamedProfile[];
}

/** A profile that callers may choose by name. */
export interface DocsNamedProfile {
  readonly name: string;
  readonly profile: unknown;
}
