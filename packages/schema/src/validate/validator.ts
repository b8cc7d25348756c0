import type { JsonSchema } from "@decern/core";
import { copyJson, type SchemaProps, type SchemaResult } from "@decern/core/schema";
import type { ValidateFunction } from "ajv";
import { Issue, type Messages, toIssues } from "./issues.js";

/** How many failing places to report: every one, or only the first. */
export type Extent = "all" | "first";

/**
 * What the compiled code reports: every error of each keyword, no more than a yes or no, or the errors of keywords that
 * explain themselves.
 */
export type Mode = "listErrors" | "decide" | "explainAll" | "explainFirst";

/** Returns the validator of a schema. Keywords receive it as a parameter, because it is made from them. */
export type ValidatorOf = (schema: JsonSchema) => Validator;

/** Validates values against one schema. Each method compiles what it needs on first use. */
export class Validator {
  readonly #compile: <T>(mode: Mode) => ValidateFunction<T>;
  readonly #isBranching: boolean;
  readonly #compiled = new Map<Mode, ValidateFunction>();
  readonly #messages: Messages = new Map();

  /** @param isBranching - whether a value can have far more errors than the schema has keywords */
  constructor(compile: <T>(mode: Mode) => ValidateFunction<T>, isBranching: boolean) {
    this.#compile = compile;
    this.#isBranching = isBranching;
  }

  /** Whether a value is valid. The fastest method, because it collects no reasons. */
  accepts(value: unknown): boolean {
    return this.#run("decide")(value);
  }

  /** Makes a check that returns the issues of a value, and `undefined` when it is valid. */
  check(): (value: unknown) => readonly Issue[] | undefined {
    if (this.#isBranching) {
      const decide = this.#run("decide");
      return (value) => (decide(value) ? undefined : this.explain(value));
    }
    // A schema that can produce only a few errors: one run both decides and finds all of them.
    const list = this.#run("listErrors");
    return (value) => (list(value) ? undefined : toIssues(list.errors ?? [], this.#messages));
  }

  /**
   * Lists what is wrong with a value.
   *
   * @param value - a value that this validator does not accept
   * @param extent - how much to report; by default everything, unless the value is large
   */
  explain(value: unknown, extent?: Extent): readonly Issue[] {
    const run = this.#run(this.#isBranching ? explaining[extent ?? extentFor(value)] : "listErrors");
    run(value);
    const issues = toIssues(run.errors ?? [], this.#messages);
    return issues.length > 0 ? issues : [new Issue("", "is not allowed", "invalid")];
  }

  #run(mode: Mode): ValidateFunction {
    let run = this.#compiled.get(mode);
    if (run === undefined) {
      run = this.#compile(mode);
      this.#compiled.set(mode, run);
    }
    return run;
  }
}

/**
 * Makes the validation of a schema as decisions call it.
 *
 * @param validator - called when the first value is validated
 */
export function validationWith<Output>(
  validator: () => Validator,
  hasDefaults: boolean,
): SchemaProps<unknown, Output>["validate"] {
  let check: ((value: unknown) => readonly Issue[] | undefined) | undefined;
  const issuesOf = (value: unknown): readonly Issue[] | undefined => {
    try {
      check ??= validator().check();
      return check(value);
    } catch (error) {
      return tooDeep(error);
    }
  };
  const validate = (value: unknown): SchemaResult<Output> => {
    let own = value;
    try {
      // AJV fills defaults in place, so it gets a copy: the caller's value must not change.
      if (hasDefaults) own = copyJson(value);
    } catch (error) {
      return { issues: tooDeep(error) };
    }
    const issues = issuesOf(own);
    // Without an issue it is of the schema's type.
    return issues === undefined ? { value: own as Output } : { issues };
  };
  return hasDefaults ? validate : Object.assign(validate, { issuesOf });
}

/** A recursive type can overflow the stack on a deeply nested value. Throws every other error again. */
function tooDeep(error: unknown): readonly Issue[] {
  if (error instanceof RangeError) return [new Issue("", "is nested too deeply", "depth")];
  throw error;
}

const explaining = { all: "explainAll", first: "explainFirst" } as const;

/** A value with more parts than this gets its first error only. */
const maxParts = 2_000;

function extentFor(value: unknown): Extent {
  const open: unknown[] = [value];
  for (let at = 0; at < open.length; at += 1) {
    const part = open[at];
    if (typeof part !== "object" || part === null) continue;
    if (Array.isArray(part) && part.length > maxParts) return "first";
    for (const inner of Object.values(part)) open.push(inner);
    if (open.length > maxParts) return "first";
  }
  return "all";
}
