import type { JsonSchema } from "@decern/core";
import type { SchemaResult } from "@decern/core/schema";
import type { ValidateFunction } from "ajv";
import { Issue, toIssues } from "./issues.js";

/** How many failing places to report: every one, or only the first. */
export type Extent = "all" | "first";

/** Validates values against one schema. Each method compiles what it needs on first use. */
export interface Validator {
  /** Whether a value is valid. The fastest method, because it collects no reasons. */
  accepts(value: unknown): boolean;
  /** Makes a check that returns the value when it is valid, and the issues when it is not. */
  check<T>(): (value: unknown) => SchemaResult<T>;
  /**
   * Lists what is wrong with a value.
   *
   * @param value - a value that this validator does not accept
   * @param extent - how much to report; by default everything, unless the value is large
   */
  explain(value: unknown, extent?: Extent): readonly Issue[];
}

/** Returns the validator of a schema. Keywords receive it as a parameter, because it is made from them. */
export type ValidatorOf = (schema: JsonSchema) => Validator;

/**
 * What the compiled code reports: every error of each keyword, no more than a yes or no, or the errors of keywords that
 * explain themselves.
 */
export type Mode = "listErrors" | "decide" | "explainAll" | "explainFirst";

/** Compiles the validator's schema in one mode. */
type Compile = <T>(mode: Mode) => ValidateFunction<T>;

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
