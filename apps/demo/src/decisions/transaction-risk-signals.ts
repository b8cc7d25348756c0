import type { Static } from "typebox";
import type { inputType, profileType, signalNames } from "./transaction-risk-types.js";

type Payment = Static<typeof inputType>;
type Policy = Static<typeof profileType>;
type SignalName = (typeof signalNames)[number];

interface Signal {
  readonly name: SignalName;
  readonly points: number;
  readonly applies: (payment: Payment, policy: Policy) => boolean;
}

/** Each signal that applies adds its points. */
const signals: readonly Signal[] = [
  { name: "high-amount", points: 35, applies: (payment, policy) => payment.amount > policy.highAmount },
  { name: "foreign-country", points: 25, applies: (payment) => payment.country !== payment.homeCountry },
  {
    name: "risky-merchant",
    points: 25,
    applies: (payment, policy) => policy.riskyMerchantCategories.includes(payment.merchantCategory),
  },
  { name: "new-account", points: 20, applies: (payment) => payment.accountAgeDays < 30 },
  { name: "card-not-present", points: 10, applies: (payment) => !payment.cardPresent },
  {
    name: "no-security-code",
    points: 15,
    applies: (payment) => !payment.cardPresent && payment.card.cvvMatches === undefined,
  },
];

/** Names of the signals that apply to a payment, in the table's order. */
export function riskSignals(payment: Payment, policy: Policy): SignalName[] {
  return signals.filter(({ applies }) => applies(payment, policy)).map(({ name }) => name);
}

/** The total points of a payment's signals, at most 100. */
export function riskScore(payment: Payment, policy: Policy): number {
  let score = 0;
  for (const { points, applies } of signals) {
    if (applies(payment, policy)) score += points;
  }
  return Math.min(score, 100);
}
