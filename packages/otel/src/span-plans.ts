import type { Decision } from "@decern/core";
import type { SpanOptions } from "@opentelemetry/api";
import { decisionAttributes } from "./names.js";

/** How the spans of one decision start. */
interface SpanPlan {
  readonly name: string;
  readonly options: SpanOptions;
}

/** Keeps a plan for each decision: an evaluation is quicker than building one. */
export class SpanPlans {
  readonly #plans = new WeakMap<Decision, SpanPlan>();

  of(decision: Decision): SpanPlan {
    let plan = this.#plans.get(decision);
    if (plan === undefined) {
      plan = { name: `evaluate ${decision.id}`, options: { attributes: decisionAttributes(decision) } };
      this.#plans.set(decision, plan);
    }
    return plan;
  }
}
