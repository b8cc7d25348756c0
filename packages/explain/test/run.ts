import type { Explanation } from "@decern/core";
import { type Decision, evaluate } from "@decern/core";
import { explainCall } from "../src/explain.js";

const origin = { epochMs: Date.parse("2026-03-03T09:30:00.000Z"), requestId: "req-3" };

/** Runs an explanation to its end. */
export function explain(decision: Decision, input: unknown, maxEvaluations = 2000): Explanation {
  const steps = explainCall({ decision, ...origin, input }, maxEvaluations);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What counts as an answer: without the explanation and the instants. */
export function answerOf(decision: Decision, input: unknown) {
  const { status, meta, ...rest } = evaluate(decision, input);
  return {
    status,
    rule: "matchedRule" in meta ? meta.matchedRule : undefined,
    // Through JSON, as a caller reads it.
    data: "data" in rest ? JSON.parse(JSON.stringify(rest.data)) : undefined,
  };
}
