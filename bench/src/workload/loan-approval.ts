import { type Static, Type } from "typebox";

/** W1: whether, and at which rate, a loan is granted. Schemas and rules are plain data here; each contestant takes what it can. */
export const loanInput = Type.Object({
  applicant: Type.Object({
    age: Type.Integer({ minimum: 0, maximum: 150 }),
    income: Type.Number({ minimum: 0 }),
    creditScore: Type.Integer({ minimum: 300, maximum: 850 }),
    employment: Type.Enum(["employed", "self-employed", "retired", "unemployed"]),
  }),
  amount: Type.Number({ exclusiveMinimum: 0 }),
  termMonths: Type.Integer({ minimum: 1, maximum: 480 }),
  country: Type.String({ minLength: 2, maxLength: 2 }),
});

export const loanProfile = Type.Object({
  minScore: Type.Integer(),
  maxDti: Type.Number({ minimum: 0 }),
  maxAmount: Type.Number({ minimum: 0 }),
  blockedCountries: Type.Array(Type.String()),
});

export const loanOutput = Type.Object({
  approved: Type.Boolean(),
  rate: Type.Number(),
  tier: Type.Enum(["prime", "near-prime", "standard", "none"]),
  reason: Type.String(),
});

export type LoanInput = Static<typeof loanInput>;
export type LoanProfile = Static<typeof loanProfile>;
export type LoanOutput = Static<typeof loanOutput>;

export interface PlainRule<Input, Output, Profile> {
  readonly id: string;
  readonly when: (input: Input, profile: Profile) => boolean;
  readonly emit: (input: Input, profile: Profile) => Output;
  readonly explain: string | ((input: Input, profile: Profile) => string);
}

export const loanId = "loan-approval";
export const loanVersion = "1.0.0";

export const theProfile: LoanProfile = {
  minScore: 580,
  maxDti: 0.4,
  maxAmount: 50_000,
  blockedCountries: ["XA", "XB", "XC"],
};

const refuse = (reason: string): LoanOutput => ({ approved: false, rate: 0, tier: "none", reason });

/** Six rules and the default, in order. */
export const loanRules: readonly PlainRule<LoanInput, LoanOutput, LoanProfile>[] = [
  {
    id: "blocked-country",
    when: (input, profile) => profile.blockedCountries.includes(input.country),
    emit: () => refuse("country"),
    explain: (input) => `No loans in ${input.country}`,
  },
  {
    id: "age-and-term",
    when: ({ applicant, termMonths }) => applicant.age < 18 || applicant.age + termMonths / 12 > 75,
    emit: () => refuse("age"),
    explain: "Too young, or too old when the loan ends",
  },
  {
    id: "score",
    when: (input, profile) => input.applicant.creditScore < profile.minScore,
    emit: () => refuse("score"),
    explain: (input, profile) => `Score ${input.applicant.creditScore} is below ${profile.minScore}`,
  },
  {
    id: "debt-to-income",
    when: ({ applicant, amount, termMonths }, profile) =>
      amount > profile.maxAmount || (amount / termMonths) * 12 > applicant.income * profile.maxDti,
    emit: () => refuse("affordability"),
    explain: "More than the applicant can repay",
  },
  {
    id: "prime",
    when: ({ applicant }) => applicant.creditScore >= 760 && applicant.employment === "employed",
    emit: () => ({ approved: true, rate: 3.9, tier: "prime", reason: "prime" }),
    explain: (input) => `Score ${input.applicant.creditScore}, employed`,
  },
  {
    id: "near-prime",
    when: ({ applicant }) => applicant.creditScore >= 680,
    emit: () => ({ approved: true, rate: 5.9, tier: "near-prime", reason: "near-prime" }),
    explain: "A good score",
  },
  {
    id: "default",
    when: () => true,
    emit: () => ({ approved: true, rate: 8.4, tier: "standard", reason: "standard" }),
    explain: "Meets every criterion",
  },
];
