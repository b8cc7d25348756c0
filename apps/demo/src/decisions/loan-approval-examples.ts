import type { Example } from "./example.js";

const applicant = { age: 34, income: 68_000, creditScore: 765, employment: "employed" };
const application = { applicant, amount: 20_000, termMonths: 60, country: "GB" };

export const loanApprovalExamples: readonly Example[] = [
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
