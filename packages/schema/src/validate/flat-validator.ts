import type { SchemaResult } from "@decern/core/schema";
import type { ValidateFunction } from "ajv";
import type { Issue } from "../explain/issue.js";
import { toIssues } from "../explain/to-issues.js";
import type { Compile, Validator } from "./validator.js";

/** Validates by a schema that can produce only a few errors. One run both decides and finds all of them. */
export class FlatValidator implements Validator {
  readonly #compile: Compile;
  #decide: ValidateFunction | undefined;
  #list: ValidateFunction | undefined;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  accepts(value: unknown): boolean {
    this.#decide ??= this.#compile("decide");
    return this.#decide(value);
  }

  check<T>(): (value: unknown) => SchemaResult<T> {
    const list = this.#compile<T>("listErrors");
    return (value) => (list(value) ? { value } : { issues: toIssues(list.errors ?? []) });
  }

  explain(value: unknown): readonly Issue[] {
    this.#list ??= this.#compile("listErrors");
    this.#list(value);
    return toIssues(this.#list.errors ?? []);
  }
}
