/** W1's rules for engines that take rules as text or JSON and not as functions. One row a rule, in the order of `loanRules`. */
export interface LoanExpression {
  readonly rule: string;
  readonly approved: boolean;
  /** An expression of GoRules zen; empty for the default. */
  readonly zen: string;
  /** An expression of casbin. */
  readonly casbin: string;
  /** JSON Logic; `true` for the default. */
  readonly jsonLogic: unknown;
}

const variable = (path: string): { readonly var: string } => ({ var: path });
const age = variable("input.applicant.age");
const income = variable("input.applicant.income");
const score = variable("input.applicant.creditScore");
const amount = variable("input.amount");
const term = variable("input.termMonths");

export const loanExpressions: readonly LoanExpression[] = [
  {
    rule: "blocked-country",
    approved: false,
    zen: "input.country in profile.blockedCountries",
    casbin: "contains(r.profile.blockedCountries, r.input.country)",
    jsonLogic: { in: [variable("input.country"), variable("profile.blockedCountries")] },
  },
  {
    rule: "age-and-term",
    approved: false,
    zen: "input.applicant.age < 18 or input.applicant.age + input.termMonths / 12 > 75",
    casbin: "r.input.applicant.age < 18 || r.input.applicant.age + r.input.termMonths / 12 > 75",
    jsonLogic: { or: [{ "<": [age, 18] }, { ">": [{ "+": [age, { "/": [term, 12] }] }, 75] }] },
  },
  {
    rule: "score",
    approved: false,
    zen: "input.applicant.creditScore < profile.minScore",
    casbin: "r.input.applicant.creditScore < r.profile.minScore",
    jsonLogic: { "<": [score, variable("profile.minScore")] },
  },
  {
    rule: "debt-to-income",
    approved: false,
    zen: "input.amount > profile.maxAmount or input.amount / input.termMonths * 12 > input.applicant.income * profile.maxDti",
    casbin:
      "r.input.amount > r.profile.maxAmount || r.input.amount / r.input.termMonths * 12 > r.input.applicant.income * r.profile.maxDti",
    jsonLogic: {
      or: [
        { ">": [amount, variable("profile.maxAmount")] },
        {
          ">": [{ "*": [{ "/": [amount, term] }, 12] }, { "*": [income, variable("profile.maxDti")] }],
        },
      ],
    },
  },
  {
    rule: "prime",
    approved: true,
    zen: "input.applicant.creditScore >= 760 and input.applicant.employment == 'employed'",
    casbin: "r.input.applicant.creditScore >= 760 && r.input.applicant.employment == 'employed'",
    jsonLogic: {
      and: [{ ">=": [score, 760] }, { "==": [variable("input.applicant.employment"), "employed"] }],
    },
  },
  {
    rule: "near-prime",
    approved: true,
    zen: "input.applicant.creditScore >= 680",
    casbin: "r.input.applicant.creditScore >= 680",
    jsonLogic: { ">=": [score, 680] },
  },
  { rule: "default", approved: true, zen: "", casbin: "true", jsonLogic: true },
];
