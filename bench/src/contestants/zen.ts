import { ZenEngine } from "@gorules/zen-engine";
import { z } from "zod";
import { theProfile } from "../workload/loan-approval.js";
import { loanExpressions } from "../workload/loan-expressions.js";
import type { Contestant } from "./contestant.js";

const position = { x: 0, y: 0 };
const readable = z.object({ result: z.object({ rule: z.string() }) });

/** GoRules zen: one decision table, hit policy `first`, one row a rule. Rust behind N-API, off the main thread. */
export function zen(): Contestant {
  const table = {
    hitPolicy: "first",
    inputs: [{ id: "when", name: "when" }],
    outputs: [
      { id: "rule", name: "rule", field: "rule" },
      { id: "approved", name: "approved", field: "approved" },
    ],
    rules: loanExpressions.map(({ rule, approved, zen }) => ({
      _id: rule,
      when: zen,
      rule: JSON.stringify(rule),
      approved: String(approved),
    })),
  };
  const decision = new ZenEngine().createDecision({
    contentType: "application/vnd.gorules.decision",
    nodes: [
      { id: "request", type: "inputNode", name: "request", position },
      { id: "table", type: "decisionTableNode", name: "table", position, content: table },
      { id: "response", type: "outputNode", name: "response", position },
    ],
    edges: [
      { id: "in", type: "edge", sourceId: "request", targetId: "table" },
      { id: "out", type: "edge", sourceId: "table", targetId: "response" },
    ],
  });
  return {
    name: "GoRules zen",
    asynchronous: true,
    evaluate: (input) => decision.evaluate({ input, profile: theProfile }),
    read: (answer) => ({ status: "OK", rule: readable.parse(answer).result.rule }),
  };
}
