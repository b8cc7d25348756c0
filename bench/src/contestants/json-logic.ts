import { LogicEngine } from "json-logic-engine";
import { z } from "zod";
import { theProfile } from "../workload/loan-approval.js";
import { loanExpressions } from "../workload/loan-expressions.js";
import type { Contestant } from "./contestant.js";

/** json-logic-engine: one `if` over all rules, compiled once. It answers the rule's id and nothing else. */
export function jsonLogic(): Contestant {
  const branches = loanExpressions.flatMap(({ rule, jsonLogic }) =>
    jsonLogic === true ? [rule] : [jsonLogic, rule],
  );
  const run = new LogicEngine().build({ if: branches });
  return {
    name: "json-logic-engine, compiled",
    asynchronous: false,
    evaluate: (input) => run({ input, profile: theProfile }),
    read: (answer) => ({ status: "OK", rule: z.string().parse(answer) }),
  };
}
