import type { Decision, ProfilesOf } from "@decern/core";
import { type Checked, checkedOptions, kinds, type OptionsOf, option } from "@decern/core/options";

const rows = {
  /** Inputs to start from. @default inputs of `examples(decision)` */
  examples: option(kinds.listOf(kinds.anything())),
  /** For every evaluation. @default from `profiles`, or the decision's own */
  profile: option(kinds.anything()),
  /** Profiles by decision id, also for used decisions. @default none */
  profiles: option(kinds.object<ProfilesOf<readonly Decision[]>>()),
  /** Texts of source files, whose values are tried. @default none */
  sources: option(kinds.listOf(kinds.text), []),
  /** Maximum inputs to try. @default 20000 */
  runs: option(kinds.wholeNumber, 20_000),
  /** The same seed gives the same results. @default 1 */
  seed: option(
    kinds.that<number>((value) => Number.isSafeInteger(value), "must be a whole number"),
    1,
  ),
  /** For every evaluation. @default `2026-01-01T00:00:00Z` */
  now: option(kinds.date),
};

/** Options of `explore`. */
export interface ExploreOptions extends OptionsOf<typeof rows> {}

/** The findings of a search, as plain JSON. Anything with a witness is certain; anything without one may still exist. */
export interface Exploration {
  readonly decisionId: string;
  readonly decisionVersion: string;
  /** Inputs that were tried and are valid. */
  readonly runs: number;
  readonly seed: number;
  /** The share of rules that decided some input, from 0 to 1. */
  readonly coverage: number;
  /** In order. */
  readonly rules: readonly RuleCoverage[];
  /** Pairs of rules that match the same input; without those with a last rule that matches everything. */
  readonly overlaps: readonly RuleOverlap[];
  /** The smallest input that no rule matches. Absent where none was found. */
  readonly noMatch?: Witness;
  /** Inputs at which the decision fails: the smallest one for each rule and message. */
  readonly faults: readonly ExploredFault[];
  /** Pairs of neighbouring inputs that different rules decide. */
  readonly boundaries: readonly Boundary[];
  /** Pairs of neighbouring inputs that the same rule decides, with different outputs. */
  readonly steps: readonly Boundary[];
}

/** A real input that passes validation. */
export interface Witness {
  readonly input: unknown;
}

export interface RuleCoverage {
  readonly ruleId: string;
  /** Inputs that it decided. */
  readonly decided: number;
  /** Inputs that it matches, whether or not an earlier rule does. */
  readonly matched: number;
  /** The smallest input that it decides. Absent when none was found. */
  readonly witness?: Witness;
  /** For a rule that matched but decided nothing: the rules that did in its place, the most frequent first. */
  readonly shadowedBy: readonly string[];
}

export interface RuleOverlap {
  /** The one that decides, and the one that would. */
  readonly rules: readonly [string, string];
  readonly witness: Witness;
  /** Whether their outputs differ for some input. */
  readonly differs: boolean;
}

export interface ExploredFault {
  readonly message: string;
  readonly witness: Witness;
}

/** Two inputs that differ in one place, by as little as was found. */
export interface Boundary {
  /** JSON Pointer to that place. */
  readonly pointer: string;
  /** Such as `OK/prime-rate`. */
  readonly outcomes: readonly [string, string];
  readonly witnesses: readonly [Witness, Witness];
}

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkExploreOptions(options: object): Checked<typeof rows> {
  return checkedOptions("explore", options, rows);
}
