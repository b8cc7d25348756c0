import type { SchemaIssue } from "../schema/standard-schema.js";
import type { InvalidResult } from "./result.js";
import { summarize, toValidationIssues } from "./validation.js";

/** Makes the results of values that a caller must correct. */
export class Refusals {
  readonly #decisionId: string;

  constructor(decisionId: string) {
    this.#decisionId = decisionId;
  }

  input(issues: readonly SchemaIssue[], value: unknown, evaluatedAt: string): InvalidResult<"INVALID_INPUT"> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_INPUT",
      message: summarize("input", errors),
      errors,
      meta: { decisionId: this.#decisionId, evaluatedAt },
    };
  }

  profile(
    issues: readonly SchemaIssue[],
    value: unknown,
    evaluatedAt: string,
  ): InvalidResult<"INVALID_PROFILE"> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_PROFILE",
      message: summarize("profile", errors),
      errors,
      meta: { decisionId: this.#decisionId, evaluatedAt },
    };
  }
}
