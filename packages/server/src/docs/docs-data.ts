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
  /** Other pages of the service that the page links to, relative to the page. */
  readonly links: DocsLinks;
  readonly decisions: readonly DocsListEntry[];
}

/** URLs of other pages. Absent where the host does not serve one. */
export interface DocsLinks {
  readonly openapi?: string;
  readonly swagger?: string;
  readonly records?: string;
}

/** A decision as the page's list shows it: as little as the list, its search and the version menu need. */
export interface DocsListEntry extends Omit<DecisionInfo, "meta"> {
  /** `meta.owner`, where that is a text. */
  readonly owner?: string;
  /** `meta.tags`, where that is a list of texts. */
  readonly tags?: readonly string[];
  /** Ids of the default version's rules, in order. */
  readonly ruleIds: readonly string[];
  /** Absent where there is only one version. */
  readonly versions?: readonly DocsVersion[];
  /** Whether the host chooses the version of each call that names none. Absent where that is always the default. */
  readonly selects?: true;
}

/**
 * The fields of every decision, by its id. Only the search needs them, so the page loads them when somebody searches: reading
 * the schemas of thousands of decisions takes seconds.
 */
export type DocsFields = Readonly<Record<string, readonly DocsField[]>>;

/** A property somewhere in a decision's schemas. */
export interface DocsField {
  readonly name: string;
  /** Present where it differs from the name. */
  readonly title?: string;
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
