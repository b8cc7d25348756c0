import { type Static, Type } from "typebox";
import type { PlainRule } from "./loan-approval.js";

/** W2: a decision of generated rules, of which the last one matches. */
export const stepInput = Type.Object({ value: Type.Integer() });
export const stepProfile = Type.Object({ offset: Type.Integer() });
export const stepOutput = Type.Object({ step: Type.Integer() });

export type StepInput = Static<typeof stepInput>;
export type StepProfile = Static<typeof stepProfile>;
export type StepOutput = Static<typeof stepOutput>;

export const theStepProfile: StepProfile = { offset: 7 };

export function generatedRules(count: number): readonly PlainRule<StepInput, StepOutput, StepProfile>[] {
  return Array.from({ length: count }, (_, step) => ({
    id: `step-${step}`,
    when: (input: StepInput, profile: StepProfile) => input.value === step + profile.offset,
    emit: () => ({ step }),
    explain: `The value is that of step ${step}`,
  }));
}

/** An input that only the last of `count` rules takes. */
export function lastStepInput(count: number): StepInput {
  return { value: count - 1 + theStepProfile.offset };
}
