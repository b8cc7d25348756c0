import { DecernError, type Problem } from "./errors.js";
import { isJsonObject } from "./json-schema.js";
import { escapePointer } from "./validation.js";

/**
 * Refuses options that do not exist, are missing, or contradict one another: an option that is ignored is a fault that
 * nobody sees.
 *
 * @param owner - whose options they are, for the message
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkOptions(
  owner: string,
  options: object,
  rules: {
    readonly known: readonly string[];
    readonly required?: readonly string[];
    /** Of each group, one at most may be given. */
    readonly exclusive?: readonly (readonly string[])[];
  },
): void {
  if (!isJsonObject(options)) {
    throw new DecernError("INVALID_OPTIONS", { detail: `${owner}: options have to be an object` });
  }
  const problems: Problem[] = [];
  const given = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  for (const key of given) {
    if (rules.known.includes(key)) continue;
    problems.push({
      path: `/${escapePointer(key)}`,
      message: `is not known; known are ${rules.known.join(", ")}`,
    });
  }
  for (const key of rules.required ?? []) {
    if (!given.includes(key)) problems.push({ path: `/${key}`, message: "is required" });
  }
  for (const group of rules.exclusive ?? []) {
    const both = group.filter((key) => given.includes(key));
    if (both.length > 1) problems.push({ path: "", message: `${both.join(" and ")} contradict: give one` });
  }
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
}
