import { DecernError, type Problem } from "../errors.js";
import { isJsonObject } from "../schema/json-schema.js";
import { missingOptions, type OptionTable, unknownOptions, wrongOptions } from "./option-kinds.js";

/** What {@link optionProblems} holds options against. */
export interface OptionRules<Options> {
  /** Every option, with its kind. */
  readonly kinds: OptionTable<Options>;
  readonly required?: readonly string[];
  /** Of each group, one at most may be given. */
  readonly exclusive?: readonly (readonly string[])[];
}

/** Finds options that do not exist, are missing, are of a wrong kind, or contradict one another. */
export function optionProblems<Options>(options: unknown, rules: OptionRules<Options>): readonly Problem[] {
  if (!isJsonObject(options)) return [{ path: "", message: "options must be an object" }];
  const isGiven = (name: string): boolean => Reflect.get(options, name) !== undefined;
  const contradicting = (rules.exclusive ?? [])
    .map((group) => group.filter(isGiven))
    .filter((given) => given.length > 1);
  return [
    ...unknownOptions(options, Object.keys(rules.kinds)),
    ...missingOptions(options, rules.required ?? []),
    ...wrongOptions(options, rules.kinds),
    ...contradicting.map((given) => ({
      path: "",
      message: `${given.join(" and ")} contradict: give one`,
    })),
  ];
}

/**
 * Refuses options that do not exist, are missing, are of a wrong kind, or contradict one another: an option that is
 * ignored is a fault that nobody sees.
 *
 * @param owner - whose options they are, for the message
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkOptions<Options>(owner: string, options: unknown, rules: OptionRules<Options>): void {
  const problems = optionProblems(options, rules);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
}
