import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { type Static, Type } from "typebox";
import {
  debtToIncome,
  declined,
  hasSteadyIncome,
  type inputType,
  isNearPrime,
  nearPrimeScore,
  percent,
  primeScore,
  profileType,
  refusals,
  schemas,
} from "./loan-approval-rules.js";

const applicant = { age: 34, income: 68_000, creditScore: 765, employment: "employed" };

const application = { applicant, amount: 20_000, termMonths: 60, country: "GB" };

const loanApproval2Examples = [
  { name: "Our best rate", input: application, expect: { status: "OK", matchedRule: "prime" } },
  {
    name: "A good score",
    input: { ...application, applicant: { ...applicant, creditScore: 702 } },
    expect: { status: "OK", matchedRule: "near-prime" },
  },
  {
    name: "Standard terms",
    input: { ...application, applicant: { ...applicant, creditScore: 640 } },
    expect: { status: "OK", matchedRule: "standard" },
  },
  {
    name: "Affordable at 9.9 %, and not at the 12 % of version 1.2.0",
    input: { ...application, applicant: { ...applicant, income: 13_000 } },
    expect: { status: "OK", matchedRule: "prime" },
  },
  {
    name: "More than the income can support",
    input: { ...application, applicant: { ...applicant, income: 11_000 } },
    expect: { status: "OK", matchedRule: "debt-to-income" },
  },
  {
    name: "The same, without a margin",
    input: { ...application, applicant: { ...applicant, income: 11_500 } },
    profile: { minScore: 620, maxDti: 0.4, maxAmount: 75_000, blockedCountries: [], stressMargin: 0 },
    expect: { status: "OK", matchedRule: "prime" },
  },
  {
    name: "More than we lend",
    input: { ...application, amount: 80_000 },
    expect: { status: "OK", matchedRule: "amount-too-high" },
  },
  {
    name: "Score too low",
    input: { ...application, applicant: { ...applicant, creditScore: 580 } },
    expect: { status: "OK", matchedRule: "score-too-low" },
  },
  {
    name: "Repaid too late in life",
    input: { ...application, applicant: { ...applicant, age: 73, employment: "retired" } },
    expect: { status: "OK", matchedRule: "age-and-term" },
  },
  {
    name: "Blocked country",
    input: { ...application, country: "KP" },
    expect: { status: "OK", matchedRule: "blocked-country" },
  },
];

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
 * every applicant, and it gives an amount above the limit a rule of its own.
 */
export const loanApproval2 = defineDecision({
  id: "loan-approval",
  version: "2.0.0",
  description:
    "Whether to grant a personal loan, and at which rate: affordability at the applicant's own rate plus a margin",
  meta: {
    owner: "credit-risk",
    domain: "lending",
    headline: { approved: { true: "Approved", false: "Declined" }, rate: { 0: "", "*": "{} % a year" } },
    examples: loanApproval2Examples,
  },
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
