import type { LoanInput, LoanOutput } from "./loan-approval.js";

/** What has to come out of one input, whoever evaluates it. */
export type Expected =
  | { readonly status: "OK"; readonly rule: string; readonly data: LoanOutput }
  | { readonly status: "INVALID_INPUT"; readonly failing: readonly string[] };

export interface Sample {
  readonly input: unknown;
  readonly expected: Expected;
}

/** Inputs that are evaluated in turn, so that no contestant answers from its last answer. */
export interface Ring {
  readonly name: "mix" | "invalid";
  readonly samples: readonly Sample[];
}

const plain: LoanInput = {
  applicant: { age: 40, income: 60_000, creditScore: 640, employment: "employed" },
  amount: 12_000,
  termMonths: 48,
  country: "NO",
};
const refused = { approved: false, rate: 0, tier: "none" } as const;

/** One input for each outcome. What is added to make the ring varied never changes the outcome. */
const outcomes: readonly { readonly input: LoanInput; readonly rule: string; readonly data: LoanOutput }[] = [
  { input: { ...plain, country: "XB" }, rule: "blocked-country", data: { ...refused, reason: "country" } },
  {
    input: { ...plain, applicant: { ...plain.applicant, age: 73 } },
    rule: "age-and-term",
    data: { ...refused, reason: "age" },
  },
  {
    input: { ...plain, applicant: { ...plain.applicant, creditScore: 450 } },
    rule: "score",
    data: { ...refused, reason: "score" },
  },
  {
    input: { ...plain, amount: 49_000, termMonths: 12 },
    rule: "debt-to-income",
    data: { ...refused, reason: "affordability" },
  },
  {
    input: { ...plain, applicant: { ...plain.applicant, creditScore: 790 } },
    rule: "prime",
    data: { approved: true, rate: 3.9, tier: "prime", reason: "prime" },
  },
  {
    input: { ...plain, applicant: { ...plain.applicant, creditScore: 700, employment: "self-employed" } },
    rule: "near-prime",
    data: { approved: true, rate: 5.9, tier: "near-prime", reason: "near-prime" },
  },
  {
    input: plain,
    rule: "default",
    data: { approved: true, rate: 8.4, tier: "standard", reason: "standard" },
  },
];

const { country: _country, ...withoutCountry } = plain;
const invalid: readonly { readonly input: unknown; readonly failing: readonly string[] }[] = [
  { input: { ...plain, amount: -5 }, failing: ["/amount"] },
  {
    input: { ...plain, applicant: { ...plain.applicant, creditScore: "high" } },
    failing: ["/applicant/creditScore"],
  },
  { input: { ...plain, amount: 0, termMonths: 1.5 }, failing: ["/amount", "/termMonths"] },
  {
    input: { ...plain, applicant: { ...plain.applicant, employment: "pirate" } },
    failing: ["/applicant/employment"],
  },
  { input: withoutCountry, failing: ["/country"] },
];

/** The two rings of W1. */
export function loanRings(size: number): readonly Ring[] {
  return [
    { name: "mix", samples: ring(size, (index) => valid(index % outcomes.length)) },
    {
      name: "invalid",
      samples: ring(size, (index) => {
        const { input, failing } = pick(invalid, index % invalid.length);
        return { input, expected: { status: "INVALID_INPUT", failing } };
      }),
    },
  ];
}

function valid(index: number): Sample {
  const { input, rule, data } = pick(outcomes, index);
  return { input, expected: { status: "OK", rule, data } };
}

/** Inputs arrive as parsed JSON, each an object of its own; the income differs from one to the next. */
function ring(size: number, sampleAt: (index: number) => Sample): readonly Sample[] {
  return Array.from({ length: size }, (_, index) => {
    const { input, expected } = sampleAt(index);
    const text = JSON.stringify(input).replace('"income":60000', `"income":${60_000 + index}`);
    return { input: JSON.parse(text), expected };
  });
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no sample ${index}`);
  return item;
}
