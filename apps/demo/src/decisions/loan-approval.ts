import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import type { Static } from "typebox";
import { loanApprovalExamples } from "./loan-approval-examples.js";
import { inputType, outputType, profileType } from "./loan-approval-types.js";

type Application = Static<typeof inputType>;

/** Instalments are tested at this rate, in per cent a year, whatever rate comes out: the loan has to bear a bad year. */
const stressRate = 12;
const adultAge = 18;
const lastAge = 75;
const primeScore = 740;
const nearPrimeScore = 680;
const steadyEmployment: readonly string[] = ["employed", "self-employed", "retired"];

/** Share of the monthly income that the instalment takes; infinite without an income. */
function debtToIncome({ applicant, amount, termMonths }: Application): number {
  const monthlyRate = stressRate / 1200;
  const instalment = (amount * monthlyRate) / (1 - (1 + monthlyRate) ** -termMonths);
  return applicant.income === 0 ? Number.POSITIVE_INFINITY : instalment / (applicant.income / 12);
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 1000) / 10} %` : "more than all";
}

function ageAtEnd({ applicant, termMonths }: Application): number {
  return Math.ceil(applicant.age + termMonths / 12);
}

function declined(reason: string) {
  return { approved: false, rate: 0, tier: "declined", reason } as const;
}

/** Whether, and at which rate, a personal loan is granted: affordability first, then the score's band. */
export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.2.0",
  description: "Whether a personal loan is granted, and at which rate: affordability first, then score bands",
  meta: { owner: "credit-risk", domain: "lending", examples: loanApprovalExamples },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
  rules: [
    {
      id: "blocked-country",
      when: (input, profile) => profile.blockedCountries.includes(input.country),
      emit: () => declined("We do not lend in this country"),
      explain: (input) => `${input.country} is on the policy's list of blocked countries`,
    },
    {
      id: "age-and-term",
      when: (input) => input.applicant.age < adultAge || ageAtEnd(input) > lastAge,
      emit: (input) =>
        declined(
          input.applicant.age < adultAge
            ? `Applicants have to be ${adultAge} or older`
            : `The loan has to be paid back by the age of ${lastAge}`,
        ),
      explain: (input) =>
        input.applicant.age < adultAge
          ? `Age ${input.applicant.age} is below ${adultAge}`
          : `Age ${input.applicant.age} plus ${input.termMonths} months ends at ${ageAtEnd(input)}, after ${lastAge}`,
    },
    {
      id: "score-too-low",
      when: (input, profile) => input.applicant.creditScore < profile.minScore,
      emit: () => declined("The credit score is too low"),
      explain: (input, profile) => `Score ${input.applicant.creditScore} is below ${profile.minScore}`,
    },
    {
      id: "debt-to-income",
      when: (input, profile) => input.amount > profile.maxAmount || debtToIncome(input) > profile.maxDti,
      emit: () => declined("The loan is more than the income can carry, or than we lend"),
      explain: (input, profile) =>
        input.amount > profile.maxAmount
          ? `Amount ${input.amount} is above the limit of ${profile.maxAmount}`
          : `At ${stressRate} % the instalment takes ${percent(debtToIncome(input))} of the income, above ${percent(profile.maxDti)}`,
    },
    {
      id: "prime",
      when: (input, profile) =>
        input.applicant.creditScore >= primeScore &&
        debtToIncome(input) <= profile.maxDti / 2 &&
        steadyEmployment.includes(input.applicant.employment),
      emit: () => ({ approved: true, rate: 4.9, tier: "prime", reason: "Our best rate" }),
      explain: (input) =>
        `Score ${input.applicant.creditScore} is ${primeScore} or more, the income is steady, and the instalment takes only ${percent(debtToIncome(input))} of it`,
    },
    {
      id: "near-prime",
      when: (input) =>
        input.applicant.creditScore >= nearPrimeScore && input.applicant.employment !== "unemployed",
      emit: () => ({ approved: true, rate: 7.9, tier: "near-prime", reason: "A good score" }),
      explain: (input) => `Score ${input.applicant.creditScore} is ${nearPrimeScore} or more, with an income`,
    },
    {
      id: "standard",
      when: () => true,
      emit: () => ({ approved: true, rate: 12.9, tier: "standard", reason: "Meets every requirement" }),
      explain: "Nothing speaks against the loan, and nothing earns it a better rate",
    },
  ],
});
