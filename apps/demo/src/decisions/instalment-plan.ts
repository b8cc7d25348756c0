import { defineDecision, type OutputOf, type Result, type RuleContext, withProfile } from "@decern/core";
import { typebox } from "@decern/schema";
import type { Static } from "typebox";
import { monthlyInstalment } from "./instalment.js";
import { instalmentPlanExamples } from "./instalment-plan-examples.js";
import { inputType, outputType, profileType } from "./instalment-plan-types.js";
import { loanApproval } from "./loan-approval.js";
import { percent } from "./loan-approval-affordability.js";
import { defaultLendingPolicy } from "./loan-approval-policies.js";
import { transactionRisk } from "./transaction-risk.js";
import { defaultFraudPolicy } from "./transaction-risk-policy.js";

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
  meta: { owner: "checkout", domain: "retail", examples: instalmentPlanExamples },
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
