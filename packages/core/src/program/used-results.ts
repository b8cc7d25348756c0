import { canonicalJson } from "../copies/canonical-json.js";
import type { Result } from "./result.js";

/** How one call of a used decision ended. */
type Ended<Output> = { readonly result: Result<Output> } | { readonly thrown: unknown };

/** What a used decision returned, so that equal inputs are evaluated once within one evaluation. */
export class UsedResults<Output> {
  readonly #byEvaluation = new WeakMap<object, Map<string, Ended<Output>>>();

  /** Returns, or throws, what `evaluate` did when it was first called for this input. */
  once(evaluation: object, input: unknown, evaluate: () => Result<Output>): Result<Output> {
    const key = canonicalJson(input, beyondJson);
    // Nobody can tell whether it equals an earlier one: even the same object may have changed since.
    if (key === undefined) return evaluate();
    let results = this.#byEvaluation.get(evaluation);
    if (results === undefined) {
      results = new Map();
      this.#byEvaluation.set(evaluation, results);
    }
    let ended = results.get(key);
    if (ended === undefined) {
      try {
        ended = { result: evaluate() };
      } catch (thrown) {
        ended = { thrown };
      }
      results.set(key, ended);
    }
    if ("thrown" in ended) throw ended.thrown;
    return ended.result;
  }
}

/** What rules pass besides JSON, in texts that are no JSON, so that none equals another value. */
function beyondJson(value: unknown): string | undefined {
  switch (typeof value) {
    case "undefined":
    case "number":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "string":
      // A lone surrogate, which JSON.stringify escapes.
      return JSON.stringify(value);
    default:
      return value instanceof Date && Object.getPrototypeOf(value) === Date.prototype
        ? `Date(${value.getTime()})`
        : undefined;
  }
}
