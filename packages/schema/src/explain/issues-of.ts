import type { Extent, Validator } from "../validate/validator.js";
import type { Issue } from "./issue.js";

/** What is wrong with a value; nothing when it is valid. */
export function issuesOf(
  validator: Validator,
  value: unknown,
  extent?: Extent,
): readonly Issue[] | undefined {
  return validator.predicate()(value) ? undefined : validator.explain(value, extent);
}
