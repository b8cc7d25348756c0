import { DecernError, type JsonSchema, type Problem } from "@decern/core";
import { referred } from "../dialect/definitions.js";
import { validatorOf } from "../validate/validator-of.js";
import { readSchema } from "./read-schema.js";
import { Reading } from "./reading.js";

/** Finds defaults that cannot be filled in, or that do not match their own schema. */
function defaultProblems(reading: Reading): readonly Problem[] {
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

/** A type as plain data: draft-07, with its definitions at the root and no keyword that validation would ignore. */
interface ReadType {
  readonly schema: JsonSchema;
  /** Whether a property has a default, which validation fills in. */
  readonly hasDefaults: boolean;
}

/**
 * Reads a type and rejects everything that would fail or be ignored later. Compiles nothing, except to check defaults.
 *
 * @throws DecernError `INVALID_DECISION` with every problem and its path
 */
export function readType(type: unknown, options: { readonly allowUnsafePatterns: boolean }): ReadType {
  const reading = new Reading(options);
  const root = readSchema(type, reading);
  const endless = reading.definitions.endless().map((name) => {
    return {
      path: `/$defs/${name}`,
      message: "refers to itself without a property or item in between, so validation would never end",
    };
  });
  const ambiguous = reading.definitions.ambiguous().map((name) => {
    return { path: "", message: `has different types named ${JSON.stringify(name)}; rename one` };
  });
  const problems = [...reading.problems, ...ambiguous, ...endless];
  if (problems.length === 0) problems.push(...defaultProblems(reading));
  if (problems.length > 0) throw new DecernError("INVALID_DECISION", { detail: "type", problems });
  return {
    schema: withDefinitions(root, reading),
    hasDefaults: reading.defaults.length > 0,
  };
}

function withDefinitions(root: JsonSchema, reading: Reading): JsonSchema {
  if (reading.definitions.schemas.size === 0) return root;
  const definitions = Object.fromEntries(reading.definitions.schemas);
  // A root that is only a reference is replaced by its target, so readers of an object see its properties.
  let schema = root;
  for (let target = referred(schema, definitions); target !== undefined; ) {
    schema = target;
    target = referred(schema, definitions);
  }
  return { ...schema, definitions };
}
