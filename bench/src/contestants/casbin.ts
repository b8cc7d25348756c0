import { newEnforcer, newModelFromString } from "casbin";
import { z } from "zod";
import { theProfile } from "../workload/loan-approval.js";
import { loanExpressions } from "../workload/loan-expressions.js";
import type { Contestant } from "./contestant.js";

const model = `
[request_definition]
r = input, profile
[policy_definition]
p = id, rule, eft
[policy_effect]
e = priority(p.eft) || deny
[matchers]
m = eval(p.rule)
`;
const readable = z.tuple([z.boolean(), z.tuple([z.string()], z.unknown())]);

/** casbin: one policy a rule, the first that matches decides. It answers allow or deny, and which policy. */
export async function casbin(): Promise<Contestant> {
  const enforcer = await newEnforcer(newModelFromString(model));
  await enforcer.addFunction("contains", (list: readonly string[], item: string) => list.includes(item));
  for (const { rule, approved, casbin } of loanExpressions) {
    await enforcer.addPolicy(rule, casbin, approved ? "allow" : "deny");
  }
  return {
    name: "casbin",
    asynchronous: false,
    evaluate: (input) => enforcer.enforceExSync(input, theProfile),
    read: (answer) => ({ status: "OK", rule: readable.parse(answer)[1][0] }),
  };
}
