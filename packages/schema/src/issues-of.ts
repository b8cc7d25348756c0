import type { Issue } from "./issue.js";
import type { Validator } from "./validator.js";

/** What is wrong with a value; nothing when it is valid. */
export function issuesOf(validator: Validator, value: unknown): readonly Issue[] | undefined {
  return validator.predicate()(value) ? undefined : validator.explain(value);
}
