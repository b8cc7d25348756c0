import type { Decision, ProfilesOf } from "@decern/core";
import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";

/** Options of `explore`. */
export interface ExploreOptions {
  /** Inputs to begin with. @default those of `examples(decision)` */
  readonly examples?: readonly unknown[] | undefined;
  /** @default that of `profiles`, else the decision's own */
  readonly profile?: unknown;
  /** Profiles by decision id, as a host has them: for this decision and those that it uses. */
  readonly profiles?: ProfilesOf<readonly Decision[]> | undefined;
  /** The text of the source files that the rules stand in: their literals are tried, too. @default none */
  readonly sources?: readonly string[] | undefined;
  /** How many inputs are tried at most. @default 20000 */
  readonly runs?: number | undefined;
  /** The same seed finds the same. @default 1 */
  readonly seed?: number | undefined;
  /** The instant of every evaluation. @default 2026-01-01T00:00:00Z */
  readonly now?: Date | undefined;
}

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

const { anything, listOf, object, text, wholeNumber } = optionKinds;

const kinds: OptionTable<ExploreOptions> = {
  examples: listOf(anything),
  profile: anything,
  profiles: object,
  runs: wholeNumber,
  sources: listOf(text),
  seed: (value, path) => (Number.isSafeInteger(value) ? [] : [{ path, message: "must be a whole number" }]),
  now: (value, path) =>
    value instanceof Date && Number.isFinite(value.getTime())
      ? []
      : [{ path, message: "must be a valid Date" }],
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkExploreOptions(options: unknown): void {
  checkOptions("explore", options, { kinds });
}
