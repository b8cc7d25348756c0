import type { Decision } from "@decern/core";
import { quote } from "./quote.js";

/** What is the same in all records of one decision. */
export interface DecisionPlan {
  /** The member `decision`, and the name of the next one. */
  readonly decisionText: string;
  /** The member `matchedRule`, by id of the rule. */
  readonly ruleTexts: ReadonlyMap<string, string>;
}

/** Prepares decisions when they are first recorded. */
export class DecisionPlans {
  readonly #plans = new WeakMap<Decision, DecisionPlan>();

  of(decision: Decision): DecisionPlan {
    const known = this.#plans.get(decision);
    if (known !== undefined) return known;
    const { id, version, ruleIds } = decision;
    const plan: DecisionPlan = {
      decisionText: `"decision":{"id":${quote(id)},"version":${quote(version)}},"durationSeconds":`,
      ruleTexts: new Map(ruleIds.map((ruleId) => [ruleId, `"matchedRule":${quote(ruleId)},`])),
    };
    this.#plans.set(decision, plan);
    return plan;
  }
}
