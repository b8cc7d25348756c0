import { ignoreRejection, isThenable } from "../awaitable.js";
import { readable } from "../copies/readable.js";
import { DecernError } from "../errors.js";
import type { SchemaIssue } from "../schema/standard-schema.js";
import { toValidationIssues } from "./validation.js";

/** The user code that an evaluation is running. */
export type Step = "inputSchema" | "profileSchema" | "when" | "emit" | "outputSchema" | "explain";

/** A value that a rule's function must not return, thrown to where faults are made. */
export class WrongReturn {
  readonly message: string;
  readonly returned: unknown;

  constructor(message: string, returned: unknown) {
    this.message = message;
    this.returned = returned;
  }
}

/** Makes the errors of what is wrong with a decision itself. */
export class DecisionFaults {
  readonly #decisionId: string;

  constructor(decisionId: string) {
    this.#decisionId = decisionId;
  }

  invalidOutput(ruleId: string, issues: readonly SchemaIssue[], emitted: unknown): DecernError {
    const problems = toValidationIssues(issues, emitted);
    return this.#fault(`the output of rule "${ruleId}" breaks its schema`, undefined, problems);
  }

  withoutJsonForm(ruleId: string, data: unknown): DecernError {
    return this.#fault(`the output of rule "${ruleId}" is ${describe(data)}, which JSON leaves out`);
  }

  /** @param ruleId - the rule that was being evaluated */
  thrownIn(step: Step, ruleId: string | undefined, anything: unknown): DecernError {
    const thrown = readable(anything);
    if (step === "inputSchema" || step === "profileSchema" || step === "outputSchema") {
      return isOwnFault(thrown) ? thrown : this.#fault(`${step} threw`, thrown);
    }
    if (!(thrown instanceof WrongReturn)) {
      // The host owns the profiles of the decisions that rules evaluate.
      if (thrown instanceof DecernError && thrown.code === "INVALID_HOST_PROFILE") return thrown;
      // A decision that the rule evaluated failed, or is not in `uses`: the message says what to do.
      const said = thrown instanceof DecernError ? `: ${thrown.message}` : "";
      return this.#fault(`"${step}" of rule "${ruleId}" threw${said}`, thrown);
    }
    ignoreRejection(thrown.returned);
    return this.#fault(`"${step}" of rule "${ruleId}" returned ${thrown.message}`);
  }

  #fault(detail: string, thrown?: unknown, problems: DecernError["problems"] = []): DecernError {
    const cause = readable(thrown);
    return new DecernError("EVALUATION_FAILED", {
      detail: `decision "${this.#decisionId}": ${detail}`,
      problems,
      ...(cause === undefined ? {} : { cause }),
    });
  }
}

/** Names a value for a message, without showing it. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  return isThenable(value) ? "a promise" : `a value of type ${typeof value}`;
}

/** A schema that returned a promise, or an output that breaks its schema. Whatever else a schema throws is a cause. */
function isOwnFault(thrown: unknown): thrown is DecernError {
  return thrown instanceof DecernError && thrown.code === "EVALUATION_FAILED";
}
