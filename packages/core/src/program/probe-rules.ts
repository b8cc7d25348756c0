import { isThenable } from "../awaitable.js";
import type { EvaluationScope } from "../definition/decision.js";
import type { Rule } from "../definition/rule.js";
import type { Schema } from "../schema/standard-schema.js";
import { type DecisionFaults, describe, type Step, WrongReturn } from "./decision-faults.js";
import type { ProbedRule } from "./probed.js";
import { settled } from "./validation.js";

/** What rules are tried with. */
interface Call<Input, Profile> {
  readonly input: Input;
  readonly profile: Profile;
  readonly scope: EvaluationScope;
}

/** Tries one rule. It never throws. */
export function probeRule<Input, Emitted, Output, Profile, Used extends string>(
  rule: Rule<Input, Emitted, Profile, Used>,
  outputSchema: Schema<unknown, Output>,
  faults: DecisionFaults,
  { input, profile, scope }: Call<Input, Profile>,
): ProbedRule {
  const ruleId = rule.id;
  let step: Step = "when";
  try {
    const matched: unknown = rule.when(input, profile, scope);
    if (matched === false) return { ruleId, outcome: "missed" };
    if (matched !== true) throw new WrongReturn(`${describe(matched)} instead of a boolean`, matched);
    step = "emit";
    const emitted = rule.emit(input, profile, scope);
    if (isThenable(emitted)) throw new WrongReturn("a promise", emitted);
    step = "outputSchema";
    const props = outputSchema["~standard"];
    const output = settled(props.validate(emitted), props.vendor);
    if (output.issues !== undefined) throw faults.invalidOutput(ruleId, output.issues, emitted);
    return { ruleId, outcome: "matched", data: output.value };
  } catch (thrown) {
    return { ruleId, outcome: "failed", error: faults.thrownIn(step, ruleId, thrown) };
  }
}
