import type { Example } from "./example.js";

const applicant = { age: 34, income: 68_000, creditScore: 765, employment: "employed" };
const application = { applicant, amount: 20_000, termMonths: 60, country: "GB" };

export const loanApproval2Examples: readonly Example[] = [
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
