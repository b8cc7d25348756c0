import type { Problem } from "@decern/core";
import { validatorOf } from "../validate/validator-of.js";
import type { TypeReader } from "./type-reader.js";

/** Finds defaults that cannot be filled in, or that do not match their own schema. */
export function defaultProblems(reader: TypeReader): readonly Problem[] {
  if (reader.defaults.length === 0) return [];
  const tested = reader.definitions.tested();
  const definitions = Object.fromEntries(reader.definitions.schemas);
  const problems: Problem[] = [];
  for (const { path, place, schema } of reader.defaults) {
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
