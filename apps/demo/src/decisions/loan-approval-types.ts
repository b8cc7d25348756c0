import { Type } from "typebox";

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

export const outputType = Type.Object(
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
