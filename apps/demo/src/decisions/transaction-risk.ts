import { defineDecision, type ProfileOf } from "@decern/core";
import { typebox } from "@decern/schema";
import { inputType, outputType, profileType, riskScore, riskSignals } from "./transaction-risk-signals.js";

const card = { status: "active", expiry: "2099-12", cvvMatches: true };

const groceries = {
  amount: 42.5,
  card,
  cardPresent: true,
  merchantCategory: "5411",
  country: "DE",
  homeCountry: "DE",
  accountAgeDays: 900,
  paymentsLastHour: 1,
};

const online = { ...groceries, cardPresent: false, merchantCategory: "5732" };

const transactionRiskExamples = [
  { name: "Groceries at home", input: groceries, expect: { status: "OK", matchedRule: "low-risk" } },
  {
    name: "A television, ordered abroad",
    input: { ...online, amount: 1_450, country: "US" },
    expect: { status: "OK", matchedRule: "medium-risk" },
  },
  {
    name: "A new account at a casino abroad",
    input: { ...online, amount: 2_000, merchantCategory: "7995", country: "MT", accountAgeDays: 3 },
    expect: { status: "OK", matchedRule: "high-risk" },
  },
  {
    name: "Twenty payments in an hour",
    input: { ...groceries, paymentsLastHour: 20 },
    expect: { status: "OK", matchedRule: "too-many-payments" },
  },
  {
    name: "Wrong security code",
    input: { ...online, card: { ...card, cvvMatches: false } },
    expect: { status: "OK", matchedRule: "cvv-mismatch" },
  },
  {
    name: "Expired card",
    input: { ...groceries, card: { ...card, expiry: "2020-01" } },
    expect: { status: "OK", matchedRule: "card-expired" },
  },
  {
    name: "Stolen card",
    input: { ...groceries, card: { ...card, status: "stolen" } },
    expect: { status: "OK", matchedRule: "card-blocked" },
  },
];

/** A month ends when the next one starts, in UTC. */
function hasExpired(expiry: string, now: Date): boolean {
  return now.toISOString().slice(0, 7) > expiry;
}

/** Decides whether a card payment is approved, challenged or declined. */
export const transactionRisk = defineDecision({
  id: "transaction-risk",
  version: "2.0.1",
  description: "Screens a card payment for fraud: approve it, challenge the card holder, or decline it",
  meta: {
    owner: "payments-fraud",
    domain: "payments",
    headline: {
      verdict: { approve: "Approved", challenge: "Ask the cardholder", decline: "Declined" },
      score: "risk {}",
    },
    examples: transactionRiskExamples,
  },
  inputSchema: typebox(inputType),
  outputSchema: typebox(outputType),
  profileSchema: typebox(profileType),
  rules: [
    {
      id: "card-blocked",
      description: "Cards that were reported lost or stolen are declined",
      when: (input) => input.card.status !== "active",
      emit: () => ({ verdict: "decline", score: 100, signals: ["card-blocked"] }),
      explain: (input) => `The card was reported ${input.card.status}`,
    },
    {
      id: "card-expired",
      description: "Expired cards are declined",
      when: (input, _profile, { now }) => hasExpired(input.card.expiry, now),
      emit: () => ({ verdict: "decline", score: 100, signals: ["card-expired"] }),
      explain: (input) => `The card expired at the end of ${input.card.expiry}`,
    },
    {
      id: "cvv-mismatch",
      description: "Without the card at hand, its security code must be right",
      when: (input) => !input.cardPresent && input.card.cvvMatches === false,
      emit: () => ({ verdict: "decline", score: 100, signals: ["cvv-mismatch"] }),
      explain: "The card was not present, and its security code is wrong",
    },
    {
      id: "too-many-payments",
      description: "The policy limits payments within an hour",
      when: (input, profile) => input.paymentsLastHour > profile.maxPaymentsPerHour,
      emit: (input, profile) => ({
        verdict: "decline",
        score: 100,
        signals: ["velocity", ...riskSignals(input, profile)],
      }),
      explain: (input, profile) =>
        `${input.paymentsLastHour} payments in an hour are more than ${profile.maxPaymentsPerHour}`,
    },
    {
      id: "high-risk",
      description: "A risk score that the policy declines",
      when: (input, profile) => riskScore(input, profile) >= profile.declineScore,
      emit: (input, profile) => ({
        verdict: "decline",
        score: riskScore(input, profile),
        signals: riskSignals(input, profile),
      }),
      explain: (input, profile) =>
        `Score ${riskScore(input, profile)} is ${profile.declineScore} or more: ${riskSignals(input, profile).join(", ")}`,
    },
    {
      id: "medium-risk",
      description: "A risk score that needs the cardholder's confirmation",
      when: (input, profile) => riskScore(input, profile) >= profile.challengeScore,
      emit: (input, profile) => ({
        verdict: "challenge",
        score: riskScore(input, profile),
        signals: riskSignals(input, profile),
      }),
      explain: (input, profile) =>
        `Score ${riskScore(input, profile)} is ${profile.challengeScore} or more: ${riskSignals(input, profile).join(", ")}`,
    },
    {
      id: "low-risk",
      description: "Everything else is approved",
      when: () => true,
      emit: (input, profile) => ({
        verdict: "approve",
        score: riskScore(input, profile),
        signals: riskSignals(input, profile),
      }),
      explain: (input, profile) => `Score ${riskScore(input, profile)} is below ${profile.challengeScore}`,
    },
  ],
});

/** Applies unless the host, a profiles file or the caller sets another. */
export const defaultFraudPolicy: ProfileOf<typeof transactionRisk> = {
  highAmount: 1_000,
  maxPaymentsPerHour: 10,
  challengeScore: 40,
  declineScore: 75,
  riskyMerchantCategories: ["6051", "7995"],
};
