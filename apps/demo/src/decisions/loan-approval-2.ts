import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { type Static, Type } from "typebox";
import { loanApproval2Examples } from "./loan-approval-2-examples.js";
import { debtToIncome, percent } from "./loan-approval-affordability.js";
import {
  declined,
  hasSteadyIncome,
  isNearPrime,
  nearPrimeScore,
  primeScore,
  refusals,
  schemas,
} from "./loan-approval-rules.js";
import { type inputType, profileType } from "./loan-approval-types.js";

type Application = Static<typeof inputType>;
type Policy = Static<typeof policyType>;

/** Version 1's policies are valid here too, so that both versions can share theirs during a roll-out. */
const policyType = Type.Object(
  {
    ...profileType.properties,
    stressMargin: Type.Optional(
      Type.Number({
        title: "Stress margin",
        description: "Points above the applicant's own rate at which affordability is tested; 5 if absent",
        minimum: 0,
        maximum: 20,
        examples: [5],
      }),
    ),
  },
  { title: "Lending policy", additionalProperties: false },
);

const rates = { prime: 4.9, nearPrime: 7.9, standard: 12.9 };

function isPrime(input: Application): boolean {
  return input.applicant.creditScore >= primeScore && hasSteadyIncome(input);
}

/** The rate at which affordability is tested: the applicant's own, plus a margin for bad years. */
function stressRate(input: Application, { stressMargin = 5 }: Policy): number {
  const rate = isPrime(input) ? rates.prime : isNearPrime(input) ? rates.nearPrime : rates.standard;
  // Rates have one decimal. Without rounding, an explanation could say 9.900000000000002 %.
  return Math.round((rate + stressMargin) * 100) / 100;
}

/**
 * The successor of version 1.2.0. It tests affordability at the applicant's own rate plus a margin, no longer at 12 % for
 * everybody, and it gives an amount above the limit a rule of its own.
 */
export const loanApproval2 = defineDecision({
  id: "loan-approval",
  version: "2.0.0",
  description:
    "Whether to grant a personal loan, and at which rate: affordability at the applicant's own rate plus a margin",
  meta: { owner: "credit-risk", domain: "lending", examples: loanApproval2Examples },
  ...schemas,
  profileSchema: typebox(policyType),
  rules: [
    ...refusals,
    {
      id: "amount-too-high",
      description: "The policy limits how much is lent",
      when: (input, profile) => input.amount > profile.maxAmount,
      emit: () => declined("The loan is more than we lend"),
      explain: (input, profile) => `Amount ${input.amount} is above the limit of ${profile.maxAmount}`,
    },
    {
      id: "debt-to-income",
      description: "The instalment must fit the income, also in a bad year",
      when: (input, profile) => debtToIncome(input, stressRate(input, profile)) > profile.maxDti,
      emit: () => declined("The loan is more than the income can support"),
      explain: (input, profile) =>
        `At ${stressRate(input, profile)} % the instalment takes ${percent(debtToIncome(input, stressRate(input, profile)))} of the income, above ${percent(profile.maxDti)}`,
    },
    {
      id: "prime",
      description: "The best rate, for a high score and a steady income",
      when: isPrime,
      emit: () => ({ approved: true, rate: rates.prime, tier: "prime", reason: "Our best rate" }),
      explain: (input) =>
        `Score ${input.applicant.creditScore} is ${primeScore} or more, and the income is steady`,
    },
    {
      id: "near-prime",
      description: "A better rate, for a good score",
      when: isNearPrime,
      emit: () => ({ approved: true, rate: rates.nearPrime, tier: "near-prime", reason: "A good score" }),
      explain: (input) => `Score ${input.applicant.creditScore} is ${nearPrimeScore} or more, with an income`,
    },
    {
      id: "standard",
      description: "Everyone else who meets the requirements",
      when: () => true,
      emit: () => ({
        approved: true,
        rate: rates.standard,
        tier: "standard",
        reason: "Meets every requirement",
      }),
      explain: "The loan meets every requirement, but does not qualify for a better rate",
    },
  ],
});
