import type { JsonSchema } from "@decern/core";
import type { SchemaResult } from "@decern/core/schema";
import type { ValidateFunction } from "ajv";
import type { Issue } from "../explain/issue.js";

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
 * What the compiled code reports: every error of each keyword, no more than a verdict, or the errors of keywords that
 * explain themselves.
 */
export type Mode = "listErrors" | "decide" | "explainAll" | "explainFirst";

/** Compiles the validator's schema in one mode. */
export type Compile = <T>(mode: Mode) => ValidateFunction<T>;
