import type { Issue } from "./issue.js";
import type { Extent, Validator } from "./validator.js";

/** What is wrong with a value; nothing when it is valid. */
export function issuesOf(
  validator: Validator,
  value: unknown,
  extent?: Extent,
): readonly Issue[] | undefined {
  return validator.predicate()(value) ? undefined : validator.explain(value, extent);
}
