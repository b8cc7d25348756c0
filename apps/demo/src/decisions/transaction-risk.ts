import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { transactionRiskExamples } from "./transaction-risk-examples.js";
import { riskScore, riskSignals } from "./transaction-risk-signals.js";
import { inputType, outputType, profileType } from "./transaction-risk-types.js";

/** A month ends when the next one starts, in UTC. */
function hasExpired(expiry: string, now: Date): boolean {
  return now.toISOString().slice(0, 7) > expiry;
}

/** Decides whether a card payment is approved, challenged or declined. */
export const transactionRisk = defineDecision({
  id: "transaction-risk",
  version: "2.0.1",
  description: "Screens a card payment for fraud: approve it, challenge the card holder, or decline it",
  meta: { owner: "payments-fraud", domain: "payments", examples: transactionRiskExamples },
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
