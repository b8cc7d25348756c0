import type { RuleOf } from "@decern/core";
import { typebox } from "@decern/schema";
import { type Static, Type } from "typebox";

export const inputType = Type.Object(
  {
    applicant: Type.Object(
      {
        age: Type.Integer({
          title: "Age",
          description: "In years",
          minimum: 0,
          maximum: 130,
          examples: [34],
        }),
        income: Type.Number({
          title: "Income",
          description: "Gross annual income",
          minimum: 0,
          maximum: 100_000_000,
          examples: [68_000],
        }),
        creditScore: Type.Integer({
          title: "Credit score",
          description: "From the credit bureau; higher is better",
          minimum: 300,
          maximum: 850,
          examples: [735],
        }),
        employment: Type.Enum(["employed", "self-employed", "retired", "student", "unemployed"], {
          type: "string",
          title: "Employment",
          examples: ["employed"],
        }),
      },
      { title: "Applicant", additionalProperties: false },
    ),
    amount: Type.Number({
      title: "Amount",
      description: "The amount to borrow, in the currency of the income",
      exclusiveMinimum: 0,
      maximum: 10_000_000,
      examples: [20_000],
    }),
    termMonths: Type.Integer({
      title: "Term",
      description: "Months until the loan is repaid",
      minimum: 6,
      maximum: 480,
      examples: [60],
    }),
    country: Type.String({
      title: "Country",
      description: "Where the applicant lives, ISO 3166-1 alpha-2",
      pattern: "^[A-Z]{2}$",
      examples: ["GB"],
    }),
    customer: Type.Optional(
      Type.String({
        title: "Customer",
        description: "The applicant's customer number",
        pattern: "^C-[0-9]{1,12}$",
        examples: ["C-1017"],
      }),
    ),
  },
  { title: "Loan application", additionalProperties: false },
);

const outputType = Type.Object(
  {
    approved: Type.Boolean({ title: "Approved" }),
    rate: Type.Number({ title: "Rate", description: "Per cent per year; 0 if declined", minimum: 0 }),
    tier: Type.Enum(["prime", "near-prime", "standard", "declined"], { type: "string", title: "Tier" }),
    reason: Type.String({ title: "Reason", description: "Shown to the applicant" }),
  },
  { title: "Loan decision", additionalProperties: false },
);

export const profileType = Type.Object(
  {
    minScore: Type.Integer({ title: "Lowest score", minimum: 300, maximum: 850, examples: [620] }),
    maxDti: Type.Number({
      title: "Highest debt to income",
      description: "Maximum share of the monthly income for the instalment",
      exclusiveMinimum: 0,
      maximum: 1,
      examples: [0.4],
    }),
    maxAmount: Type.Number({ title: "Highest amount", exclusiveMinimum: 0, examples: [75_000] }),
    blockedCountries: Type.Array(Type.String({ pattern: "^[A-Z]{2}$" }), {
      title: "Blocked countries",
      description: "Countries where we do not lend, ISO 3166-1 alpha-2",
      maxItems: 250,
      examples: [["KP"]],
    }),
  },
  { title: "Lending policy", additionalProperties: false },
);

/** What a loan costs each month, if it is repaid in equal parts. */
export function monthlyInstalment(amount: number, yearlyPercent: number, months: number): number {
  if (yearlyPercent === 0) return amount / months;
  const monthlyRate = yearlyPercent / 1200;
  return (amount * monthlyRate) / (1 - (1 + monthlyRate) ** -months);
}

/** Share of the monthly income that the instalment takes at a yearly rate in per cent; infinite without an income. */
export function debtToIncome(
  { applicant, amount, termMonths }: Static<typeof inputType>,
  yearlyPercent: number,
): number {
  if (applicant.income === 0) return Number.POSITIVE_INFINITY;
  return monthlyInstalment(amount, yearlyPercent, termMonths) / (applicant.income / 12);
}

/** A share as text. */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 1000) / 10} %` : "more than 100 %";
}

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
