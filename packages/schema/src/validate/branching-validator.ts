import type { SchemaResult } from "@decern/core/schema";
import type { ValidateFunction } from "ajv";
import { Issue } from "../explain/issue.js";
import { toIssues } from "../explain/to-issues.js";
import type { Compile, Extent, Validator } from "./validator.js";

/** Validates by a schema that can produce many errors. It decides first, and lists every error of small values only. */
export class BranchingValidator implements Validator {
  readonly #compile: Compile;
  #decide: ValidateFunction | undefined;
  #all: ValidateFunction | undefined;
  #first: ValidateFunction | undefined;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  accepts(value: unknown): boolean {
    this.#decide ??= this.#compile("decide");
    return this.#decide(value);
  }

  check<T>(): (value: unknown) => SchemaResult<T> {
    const decide = this.#compile<T>("decide");
    return (value) => (decide(value) ? { value } : { issues: this.explain(value) });
  }

  explain(value: unknown, extent: Extent = isSmall(value) ? "all" : "first"): readonly Issue[] {
    const run = extent === "all" ? this.#explainAll() : this.#explainFirst();
    run(value);
    const issues = toIssues(run.errors ?? []);
    return issues.length > 0 ? issues : [new Issue("", "is not allowed", "invalid")];
  }

  #explainAll(): ValidateFunction {
    this.#all ??= this.#compile("explainAll");
    return this.#all;
  }

  #explainFirst(): ValidateFunction {
    this.#first ??= this.#compile("explainFirst");
    return this.#first;
  }
}

/** A value with more parts than this gets its first error only. */
const maxParts = 2_000;

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let at = 0; at < open.length; at += 1) {
    const part = open[at];
    if (typeof part !== "object" || part === null) continue;
    if (Array.isArray(part) && part.length > maxParts) return false;
    for (const inner of Object.values(part)) open.push(inner);
    if (open.length > maxParts) return false;
  }
  return true;
}
