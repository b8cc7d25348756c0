import type { RuleOf } from "@decern/core";
import { typebox } from "@decern/schema";
import type { Static } from "typebox";
import { inputType, outputType, profileType } from "./loan-approval-types.js";

/** The schemas of version 1. Later versions may add to them. */
export const schemas = {
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
};

type Application = Static<typeof inputType>;
type LoanRule = RuleOf<typeof schemas>;

export const primeScore = 740;
export const nearPrimeScore = 680;
const adultAge = 18;
const lastAge = 75;
const steadyEmployment: readonly string[] = ["employed", "self-employed", "retired"];

/** Whether the income is expected to last. */
export function hasSteadyIncome({ applicant }: Application): boolean {
  return steadyEmployment.includes(applicant.employment);
}

/** Whether the applicant's score and employment are good enough for more than standard terms. */
export function isNearPrime({ applicant }: Application): boolean {
  return applicant.creditScore >= nearPrimeScore && applicant.employment !== "unemployed";
}

function ageAtEnd({ applicant, termMonths }: Application): number {
  return Math.ceil(applicant.age + termMonths / 12);
}

/** The output of a refusal. */
export function declined(reason: string) {
  return { approved: false, rate: 0, tier: "declined", reason } as const;
}

/** The rules that every version starts with. */
export const refusals: readonly LoanRule[] = [
  {
    id: "blocked-country",
    description: "No loans in the countries on the policy's list",
    when: (input, profile) => profile.blockedCountries.includes(input.country),
    emit: () => declined("We do not lend in this country"),
    explain: (input) => `${input.country} is on the policy's list of blocked countries`,
  },
  {
    id: "age-and-term",
    description: "Applicants must be adults, and repay the loan before they are too old",
    when: (input) => input.applicant.age < adultAge || ageAtEnd(input) > lastAge,
    emit: (input) =>
      declined(
        input.applicant.age < adultAge
          ? `Applicants must be ${adultAge} or older`
          : `The loan must be repaid by the age of ${lastAge}`,
      ),
    explain: (input) =>
      input.applicant.age < adultAge
        ? `Age ${input.applicant.age} is below ${adultAge}`
        : `Age ${input.applicant.age} plus ${input.termMonths} months ends at ${ageAtEnd(input)}, after ${lastAge}`,
  },
  {
    id: "score-too-low",
    description: "The credit score must reach the policy's lowest score",
    when: (input, profile) => input.applicant.creditScore < profile.minScore,
    emit: () => declined("The credit score is too low"),
    explain: (input, profile) => `Score ${input.applicant.creditScore} is below ${profile.minScore}`,
  },
];
