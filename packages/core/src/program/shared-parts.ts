import { type Decision, program } from "../definition/decision.js";
import { DecisionFaults } from "./decision-faults.js";
import { EnvelopeText } from "./envelope-text.js";
import { Refusals } from "./refusals.js";
import type { EvaluatedRule } from "./result.js";

/** What programs of one definition have in common, whatever their profile. */
export interface SharedParts {
  /** The trace entries of rules that did not match are the same every time, so every result shares them. */
  readonly misses: readonly EvaluatedRule[];
  readonly levels: number;
  readonly text: EnvelopeText;
  readonly faults: DecisionFaults;
  readonly refusals: Refusals;
}

export function share(source: {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string }[];
  readonly uses: readonly Decision[];
}): SharedParts {
  const misses = source.rules.map(({ id }) => Object.freeze({ ruleId: id, matched: false }));
  // Each knows its own, so a decision that is reached in many ways is not counted many times.
  const levels = 1 + source.uses.reduce((most, used) => Math.max(most, used[program].levels), 0);
  return {
    misses,
    levels,
    text: new EnvelopeText(source.id, source.version, misses),
    faults: new DecisionFaults(source.id),
    refusals: new Refusals(source.id),
  };
}
