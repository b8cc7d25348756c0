import { defineDecision, type OutputOf, type Result, type RuleContext, withProfile } from "@decern/core";
import { typebox } from "@decern/schema";
import type { Static } from "typebox";
import { inputType, outputType, profileType } from "./instalment-plan-types.js";
import { defaultLendingPolicy, loanApproval } from "./loan-approval.js";
import { monthlyInstalment, percent } from "./loan-approval-rules.js";
import { defaultFraudPolicy, transactionRisk } from "./transaction-risk.js";

const applicant = { age: 34, income: 42_000, creditScore: 765, employment: "employed" };

const card = { status: "active", expiry: "2099-12", cvvMatches: true };

const payment = {
  card,
  cardPresent: false,
  merchantCategory: "5732",
  country: "DE",
  accountAgeDays: 900,
  paymentsLastHour: 1,
};

const laptop = { price: 1_200, deposit: 200, months: 12, homeCountry: "DE", applicant, payment };

const instalmentPlanExamples = [
  { name: "A laptop, interest-free", input: laptop, expect: { status: "OK", matchedRule: "interest-free" } },
  {
    name: "The same over two years",
    input: { ...laptop, months: 24 },
    expect: { status: "OK", matchedRule: "with-interest" },
  },
  {
    name: "An ordinary credit score",
    input: { ...laptop, applicant: { ...applicant, creditScore: 640 } },
    expect: { status: "OK", matchedRule: "with-interest" },
  },
  {
    name: "A new customer, buying abroad",
    input: { ...laptop, payment: { ...payment, country: "US", accountAgeDays: 3 } },
    expect: { status: "OK", matchedRule: "confirm-card" },
  },
  {
    name: "No credit: the income is too low",
    input: { ...laptop, applicant: { ...applicant, income: 1_200 } },
    expect: { status: "OK", matchedRule: "credit-declined" },
  },
  {
    name: "A stolen card",
    input: { ...laptop, payment: { ...payment, card: { ...card, status: "stolen" } } },
    expect: { status: "OK", matchedRule: "card-declined" },
  },
  {
    name: "Hardly any deposit",
    input: { ...laptop, deposit: 50 },
    expect: { status: "OK", matchedRule: "deposit-too-low" },
  },
  {
    name: "Nothing left to pay",
    input: { ...laptop, deposit: 1_200 },
    expect: { status: "OK", matchedRule: "paid-in-full" },
  },
  { name: "Three instalments", input: { ...laptop, months: 3 }, expect: { status: "INVALID_INPUT" } },
];

// With policies of their own, the plan can be evaluated without a host. A host's profiles take precedence.
const credit = withProfile(loanApproval, defaultLendingPolicy);

const cardRisk = withProfile(transactionRisk, defaultFraudPolicy);

type Purchase = Static<typeof inputType>;

type Policy = Static<typeof profileType>;

type Context = RuleContext<typeof credit.id | typeof cardRisk.id>;

/** Both decisions have a rule for every valid input, and the purchase's schema allows no input that they refuse. */
function answered<Output>(result: Result<Output>) {
  if (result.status !== "OK") throw new Error(`${result.meta.decisionId} returned ${result.status}`);
  return { ...result.data, why: result.meta.explanation };
}

/** Whether the customer gets credit for what the deposit leaves. */
function askCredit({ price, deposit, months, applicant, homeCountry }: Purchase, context: Context) {
  const application = { applicant, amount: price - deposit, termMonths: months, country: homeCountry };
  return answered<OutputOf<typeof credit>>(context.evaluate(credit, application));
}

/** Whether the card that pays the deposit can be trusted. */
function askCardRisk({ deposit, homeCountry, payment }: Purchase, context: Context) {
  const cardPayment = { ...payment, amount: deposit, homeCountry };
  return answered<OutputOf<typeof cardRisk>>(context.evaluate(cardRisk, cardPayment));
}

function isInterestFree(input: Purchase, { interestFreeMonths }: Policy, context: Context): boolean {
  return input.months <= interestFreeMonths && askCredit(input, context).tier === "prime";
}

/** What the plan costs: the credit's rate, or nothing. */
function terms(input: Purchase, policy: Policy, context: Context) {
  const rate = isInterestFree(input, policy, context) ? 0 : askCredit(input, context).rate;
  const monthly = monthlyInstalment(input.price - input.deposit, rate, input.months);
  return { rate, monthly: Math.round(monthly * 100) / 100 };
}

/** Decides whether a shop lets a customer pay in instalments: the card must be safe, and the customer must get credit. */
export const instalmentPlan = defineDecision({
  id: "instalment-plan",
  version: "1.0.0",
  description: "Whether a customer may pay a purchase in instalments: screens the card, then asks for credit",
  meta: {
    owner: "checkout",
    domain: "retail",
    headline: {
      outcome: {
        offered: "Offered",
        "confirm-card": "Confirm the card",
        declined: "Declined",
        "not-needed": "Not needed",
      },
      monthly: { 0: "", "*": "{} a month" },
    },
    examples: instalmentPlanExamples,
  },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
  uses: [credit, cardRisk],
  rules: [
    {
      id: "paid-in-full",
      description: "The deposit covers the price",
      when: (input) => input.deposit >= input.price,
      emit: () => ({
        outcome: "not-needed",
        rate: 0,
        monthly: 0,
        reason: "The deposit pays for everything",
      }),
      explain: (input) => `The deposit of ${input.deposit} leaves nothing of the price of ${input.price}`,
    },
    {
      id: "deposit-too-low",
      description: "The deposit must be a large enough share of the price",
      when: (input, profile) => input.deposit / input.price < profile.minDepositShare,
      emit: () => ({ outcome: "declined", rate: 0, monthly: 0, reason: "The deposit is too low" }),
      explain: (input, profile) =>
        `The deposit is ${percent(input.deposit / input.price)} of the price, below ${percent(profile.minDepositShare)}`,
    },
    {
      id: "card-declined",
      description: "The card payment must not be too risky",
      when: (input, _profile, context) => askCardRisk(input, context).verdict === "decline",
      emit: () => ({ outcome: "declined", rate: 0, monthly: 0, reason: "The card was not accepted" }),
      explain: (input, _profile, context) => `The card is declined: ${askCardRisk(input, context).why}`,
    },
    {
      id: "credit-declined",
      description: "The rest must be granted as a loan",
      when: (input, _profile, context) => !askCredit(input, context).approved,
      emit: (input, _profile, context) => ({
        outcome: "declined",
        rate: 0,
        monthly: 0,
        reason: askCredit(input, context).reason,
      }),
      explain: (input, _profile, context) => `Credit refused: ${askCredit(input, context).why}`,
    },
    {
      id: "confirm-card",
      description: "The cardholder confirms the payment first",
      when: (input, _profile, context) => askCardRisk(input, context).verdict === "challenge",
      emit: (input, profile, context) => ({
        outcome: "confirm-card",
        ...terms(input, profile, context),
        reason: "Please confirm the card payment",
      }),
      explain: (input, _profile, context) =>
        `The card holder must confirm: ${askCardRisk(input, context).why}`,
    },
    {
      id: "interest-free",
      description: "Short plans cost no interest, for the best credit",
      when: isInterestFree,
      emit: (input, profile, context) => ({
        outcome: "offered",
        ...terms(input, profile, context),
        reason: "Pay in instalments without interest",
      }),
      explain: (input, profile) =>
        `The credit is prime, and ${input.months} months are ${profile.interestFreeMonths} or less`,
    },
    {
      id: "with-interest",
      description: "Everyone else pays the loan's rate",
      when: () => true,
      emit: (input, profile, context) => ({
        outcome: "offered",
        ...terms(input, profile, context),
        reason: "Pay in instalments",
      }),
      explain: (input, _profile, context) =>
        `The card is safe, and the credit is ${askCredit(input, context).tier} over ${input.months} months`,
    },
  ],
});
