import { createEvaluator, type EvaluationEvent, evaluate, withProfile } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openTelemetry } from "@decern/otel";
import { loanDecision } from "../workload/decisions.js";
import * as loan from "../workload/loan-approval.js";
import { casbin } from "./casbin.js";
import type { Contestant } from "./contestant.js";
import { jsonLogic } from "./json-logic.js";
import { jsonRulesEngine } from "./json-rules-engine.js";
import { readResult } from "./read-result.js";
import { createReference } from "./reference.js";
import { zen } from "./zen.js";
import { zodLoop } from "./zod-loop.js";

export const referenceName = "reference: AJV, loop, all tricks";
export const decernName = "Decern evaluate";

function reference(name: string, withTricks: boolean): Contestant {
  const evaluateByHand = createReference(
    {
      id: loan.loanId,
      version: loan.loanVersion,
      input: loan.loanInput,
      output: loan.loanOutput,
      profile: loan.loanProfile,
      rules: loan.loanRules,
    },
    loan.theProfile,
    withTricks,
  );
  return { name, asynchronous: false, evaluate: evaluateByHand, read: readResult };
}

function decern(): Contestant {
  const decision = withProfile(loanDecision(), loan.theProfile);
  return {
    name: decernName,
    asynchronous: false,
    evaluate: (input) => evaluate(decision, input),
    read: readResult,
  };
}

/** W1: who validates, and gives the full envelope. These run on the invalid ring too. */
export function validatingContestants(): readonly Contestant[] {
  return [reference(referenceName, true), decern(), reference("AJV, loop", false), zodLoop()];
}

/** W1: the peers, which evaluate rules and do not validate. */
export async function peerContestants(): Promise<readonly Contestant[]> {
  return [jsonLogic(), await casbin(), jsonRulesEngine(), zen()];
}

/** W1: `evaluate`, and what hooks and observers around it cost. */
export function evaluatorContestants(): readonly Contestant[] {
  const decision = withProfile(loanDecision(), loan.theProfile);
  const bare = createEvaluator();
  const observer = {
    onEvaluated({ status, durationSeconds }: EvaluationEvent) {
      read.value = status;
      read.seconds += durationSeconds;
    },
  };
  const observed = createEvaluator({ observers: [observer] });
  const traced = createEvaluator({ observers: [openTelemetry()] });
  const measured = createEvaluator({ observers: [metrics({ enabled: true }).observer] });
  const hooked = createEvaluator({ hooks: { afterEvaluate: () => {} } });
  const waiting = createEvaluator({
    hooks: { beforeEvaluate: async () => {}, afterEvaluate: async () => {}, onError: async () => {} },
  });
  const reading = createEvaluator({
    hooks: {
      beforeEvaluate: async ({ input }) => {
        read.value = input;
      },
      afterEvaluate: async (_context, { data }) => {
        read.value = data;
      },
    },
  });
  const common = { read: readResult };
  return [
    decern(),
    {
      ...common,
      name: "Decern evaluator, no hooks, no observer",
      asynchronous: false,
      evaluate: (input) => bare.evaluate(decision, { input }),
    },
    {
      ...common,
      name: evaluatorWithObserver,
      asynchronous: false,
      evaluate: (input) => observed.evaluate(decision, { input }),
    },
    {
      ...common,
      name: evaluatorWithTracing,
      asynchronous: false,
      evaluate: (input) => traced.evaluate(decision, { input }),
    },
    {
      ...common,
      name: evaluatorWithMetrics,
      asynchronous: false,
      evaluate: (input) => measured.evaluate(decision, { input }),
    },
    {
      ...common,
      name: "Decern evaluator, a hook after each",
      asynchronous: true,
      evaluate: (input) => hooked.evaluate(decision, { input }),
    },
    {
      ...common,
      name: evaluatorWithHooks,
      asynchronous: true,
      evaluate: (input) => waiting.evaluate(decision, { input }),
    },
    {
      ...common,
      name: "Decern evaluator, asynchronous hooks that read input and output",
      asynchronous: true,
      evaluate: (input) => reading.evaluate(decision, { input }),
    },
  ];
}

/** What hooks and observers have read last. */
const read: { value: unknown; seconds: number } = { value: undefined, seconds: 0 };

export const evaluatorWithHooks = "Decern evaluator, three asynchronous hooks";
export const evaluatorWithObserver = "Decern evaluator, an observer";
export const evaluatorWithTracing = "Decern evaluator, OpenTelemetry without an SDK";
export const evaluatorWithMetrics = "Decern evaluator, metrics observer";
