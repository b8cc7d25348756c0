import type { Problem } from "@decern/core";
import { validatorOf } from "../validate/validator-of.js";
import type { Reading } from "./reading.js";

/** Finds defaults that cannot be filled in, or that do not match their own schema. */
export function defaultProblems(reading: Reading): readonly Problem[] {
  if (reading.defaults.length === 0) return [];
  const tested = reading.definitions.tested();
  const definitions = Object.fromEntries(reading.definitions.schemas);
  const problems: Problem[] = [];
  for (const { path, place, schema } of reading.defaults) {
    if (place.test || (place.definition !== undefined && tested.has(place.definition))) {
      problems.push({
        path,
        message: "has a default inside a union or condition, where defaults cannot be filled in",
      });
    } else if (Object.hasOwn(Object.prototype, path.slice(path.lastIndexOf("/") + 1))) {
      problems.push({
        path,
        message: "cannot have a default, because every object inherits a member of that name",
      });
    } else {
      const { default: value, ...rest } = schema;
      const validator = validatorOf({ ...rest, definitions });
      if (!validator.accepts(value)) {
        const issues = validator.explain(value);
        const list = issues.map(({ pointer, message }) => `${pointer ?? ""} ${message}`.trim());
        problems.push({
          path: `${path}/default`,
          message: `does not match its own schema: ${list.join("; ")}`,
        });
      }
    }
  }
  return problems;
}
