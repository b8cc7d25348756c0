import type { Result } from "./result.js";
import type { RuleScope } from "./rule-scope.js";

/** What a decision's definition was compiled to. Covariant in its output, and silent about input and profile. */
export interface Program<Output = unknown> {
  /** What hooks see when nobody gives a profile. */
  readonly boundProfile: unknown;
  /** Evaluates once. A `profile` of `undefined` takes the bound one, else `{}`. Throws a `DecernError` on a fault. */
  run(input: unknown, profile: unknown, scope: RuleScope): Result<Output>;
  /** Refuses an input or a profile that has too many levels, before anything looks into it. */
  refuseNesting(input: unknown, profile: unknown, scope: RuleScope): Result<never> | undefined;
  /** The envelope as JSON text, equal to `JSON.stringify(result)`; `result` has to come from this program. */
  stringify(result: Result): string;
  /** This program with `profile` validated, copied and frozen once. Throws `INVALID_OPTIONS` when it breaks its schema. */
  bind(profile: unknown): Program<Output>;
}
