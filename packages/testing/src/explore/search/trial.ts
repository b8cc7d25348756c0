import type { DecernError } from "@decern/core";
import type { ProbedRule } from "@decern/core/tools";

/** One valid input, and all that the decision makes of it. */
export interface Trial {
  readonly input: unknown;
  /** Such as `OK/prime-rate`, `NO_MATCH` or `ERROR`. */
  readonly outcome: string;
  /** Index of the rule that decided or failed; -1 without any. */
  readonly decider: number;
  /** Every rule, those after the first match too. */
  readonly rules: readonly ProbedRule[];
  /** The scalars of the output by place. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Why the decision failed. */
  readonly error: DecernError | undefined;
}

/** Which rules matched. Inputs of the same signature differ in their output at most. */
export function signatureOf({ rules }: Trial): string {
  return rules.map(({ outcome }) => outcome.charAt(1)).join("");
}
