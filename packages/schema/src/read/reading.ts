import type { JsonSchema, Problem } from "@decern/core";
import { copyJson } from "../export/copy-json.js";
import { Definitions } from "./definitions.js";
import { keywordProblem } from "./keyword-problem.js";
import type { KeywordValue } from "./keywords.js";
import type { Place } from "./place.js";

/** The default of a property, which validation fills in. */
interface Default {
  readonly path: string;
  readonly place: Place;
  readonly schema: JsonSchema;
}

/** Reads the schema at some place in a type. */
export type ReadSchema = (type: unknown, place: Place) => JsonSchema;

/** What was found while a type was read. */
export class Reading {
  readonly definitions = new Definitions();
  readonly problems: Problem[] = [];
  /** Defaults of properties. */
  readonly defaults: Default[] = [];
  readonly allowUnsafePatterns: boolean;

  constructor(options: { readonly allowUnsafePatterns: boolean }) {
    this.allowUnsafePatterns = options.allowUnsafePatterns;
  }

  report(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /** Copies the value of a keyword that holds data. Reports a wrong value, and returns `undefined` for it. */
  data(kind: KeywordValue, value: unknown, path: string): unknown {
    const problem = keywordProblem(kind, value, this.allowUnsafePatterns);
    if (problem === undefined) return copyJson(value);
    this.report(path, problem);
    return undefined;
  }
}
