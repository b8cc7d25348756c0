import { DecernError, type JsonSchema } from "@decern/core";
import { defaultProblems } from "./default-problems.js";
import { referred } from "./definitions.js";
import { readSchema } from "./read-schema.js";
import { Reading } from "./reading.js";

/** A type as plain data: draft-07, with its definitions at the root and no keyword that validation would ignore. */
export interface ReadType {
  readonly schema: JsonSchema;
  /** Whether a property has a default, which validation fills in. */
  readonly hasDefaults: boolean;
}

/**
 * Reads a type and refuses everything that would fail or be ignored later. Compiles nothing, except to check defaults.
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
