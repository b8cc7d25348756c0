import { createEvaluator, type EvaluationEvent, withProfile } from "@decern/core";
import { openTelemetry } from "@decern/otel";
import { loanDecision } from "../workload/decisions.js";
import * as loan from "../workload/loan-approval.js";
import type { Contestant } from "./contestant.js";
import { readResult } from "./read-result.js";

export const observedName = "Decern evaluator, an observer";
export const withoutSdkName = "Decern evaluator, OpenTelemetry without an SDK";

/** What an observer reads, so that nothing about the event is left out. */
export const observed = { seconds: 0, status: "" };

/** W1: an observer, and the one that traces where nobody collects traces. */
export function tracingContestants(): readonly Contestant[] {
  const decision = withProfile(loanDecision(), loan.theProfile);
  const observer = {
    onEvaluated({ status, durationSeconds }: EvaluationEvent) {
      observed.status = status;
      observed.seconds += durationSeconds;
    },
  };
  const plain = createEvaluator({ observers: [observer] });
  const traced = createEvaluator({ observers: [openTelemetry()] });
  const common = { asynchronous: false, read: readResult };
  return [
    {
      ...common,
      name: observedName,
      evaluate: (input) => plain.evaluate(decision, { input }),
    },
    {
      ...common,
      name: withoutSdkName,
      evaluate: (input) => traced.evaluate(decision, { input }),
    },
  ];
}
