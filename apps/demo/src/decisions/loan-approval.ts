import { defineDecision, type ProfileOf } from "@decern/core";
import {
  debtToIncome,
  declined,
  hasSteadyIncome,
  isNearPrime,
  nearPrimeScore,
  percent,
  primeScore,
  refusals,
  schemas,
} from "./loan-approval-rules.js";

const applicant = { age: 34, income: 68_000, creditScore: 765, employment: "employed" };

const application = { applicant, amount: 20_000, termMonths: 60, country: "GB" };

export const loanApprovalExamples = [
  { name: "Our best rate", input: application, expect: { status: "OK", matchedRule: "prime" } },
  {
    name: "A good score",
    input: { ...application, applicant: { ...applicant, creditScore: 702, employment: "self-employed" } },
    expect: { status: "OK", matchedRule: "near-prime" },
  },
  {
    name: "Standard terms",
    input: { ...application, applicant: { ...applicant, creditScore: 640 } },
    expect: { status: "OK", matchedRule: "standard" },
  },
  {
    name: "More than the income can support",
    input: { ...application, applicant: { ...applicant, income: 11_000 } },
    expect: { status: "OK", matchedRule: "debt-to-income" },
  },
  {
    name: "Score too low",
    input: { ...application, applicant: { ...applicant, creditScore: 580 } },
    expect: { status: "OK", matchedRule: "score-too-low" },
  },
  {
    name: "The same score under a more lenient policy",
    input: { ...application, applicant: { ...applicant, creditScore: 580 } },
    profile: { minScore: 560, maxDti: 0.4, maxAmount: 75_000, blockedCountries: [] },
    expect: { status: "OK", matchedRule: "standard" },
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
  {
    name: "Invalid fields",
    input: { ...application, amount: -5, country: "Great Britain" },
    expect: { status: "INVALID_INPUT" },
  },
];

/** Affordability is tested at this rate, in per cent per year, whatever the actual rate: the loan must survive a bad year. */
const stressRate = 12;

/** Decides whether a personal loan is granted, and at which rate: affordability first, then the score's band. */
export const loanApproval = defineDecision({
  id: "loan-approval",
  version: "1.2.0",
  description: "Whether to grant a personal loan, and at which rate: affordability first, then score bands",
  meta: {
    owner: "credit-risk",
    domain: "lending",
    headline: { approved: { true: "Approved", false: "Declined" }, rate: { 0: "", "*": "{} % a year" } },
    examples: loanApprovalExamples,
  },
  ...schemas,
  rules: [
    ...refusals,
    {
      id: "debt-to-income",
      description: "The instalment must fit the income, also in a bad year",
      when: (input, profile) =>
        input.amount > profile.maxAmount || debtToIncome(input, stressRate) > profile.maxDti,
      emit: () => declined("The loan is more than the income can support, or more than we lend"),
      explain: (input, profile) =>
        input.amount > profile.maxAmount
          ? `Amount ${input.amount} is above the limit of ${profile.maxAmount}`
          : `At ${stressRate} % the instalment takes ${percent(debtToIncome(input, stressRate))} of the income, above ${percent(profile.maxDti)}`,
    },
    {
      id: "prime",
      description: "The best rate, for a high score and a steady income",
      when: (input, profile) =>
        input.applicant.creditScore >= primeScore &&
        debtToIncome(input, stressRate) <= profile.maxDti / 2 &&
        hasSteadyIncome(input),
      emit: () => ({ approved: true, rate: 4.9, tier: "prime", reason: "Our best rate" }),
      explain: (input) =>
        `Score ${input.applicant.creditScore} is ${primeScore} or more, the income is steady, and the instalment takes only ${percent(debtToIncome(input, stressRate))} of it`,
    },
    {
      id: "near-prime",
      description: "A better rate, for a good score",
      when: isNearPrime,
      emit: () => ({ approved: true, rate: 7.9, tier: "near-prime", reason: "A good score" }),
      explain: (input) => `Score ${input.applicant.creditScore} is ${nearPrimeScore} or more, with an income`,
    },
    {
      id: "standard",
      description: "Everyone else who meets the requirements",
      when: () => true,
      emit: () => ({ approved: true, rate: 12.9, tier: "standard", reason: "Meets every requirement" }),
      explain: "The loan meets every requirement, but does not qualify for a better rate",
    },
  ],
});

type LendingPolicy = ProfileOf<typeof loanApproval>;

/** Applies unless the host, a profiles file or the caller sets another. */
export const defaultLendingPolicy: LendingPolicy = {
  minScore: 620,
  maxDti: 0.4,
  maxAmount: 75_000,
  blockedCountries: ["KP", "IR", "SY"],
};

/** For lenders who take less risk. */
export const strictLendingPolicy: LendingPolicy = {
  ...defaultLendingPolicy,
  minScore: 700,
  maxDti: 0.3,
  maxAmount: 25_000,
};
