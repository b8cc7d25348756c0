import type { DecernError } from "../errors.js";
import type { Result } from "./result.js";

/** What one rule makes of an input, whether or not an earlier rule matches it. */
export type ProbedRule = { readonly ruleId: string } & (
  | { readonly outcome: "missed" }
  /** `data` is what the decision would return, were this rule the first to match. */
  | { readonly outcome: "matched"; readonly data: unknown }
  /** Its `when` threw, or it matched and the rest of it failed. A rule may rely on those before it. */
  | { readonly outcome: "failed"; readonly error: DecernError }
);

/** Every rule in order, or the envelope of an input or profile that is refused. */
export type Probed =
  | { readonly refused: Result<never> }
  | { readonly refused: undefined; readonly rules: readonly ProbedRule[] };
