import { type Static, Type } from "typebox";

const country = { pattern: "^[A-Z]{2}$" };

const signalNames = [
  "card-blocked",
  "card-expired",
  "cvv-mismatch",
  "velocity",
  "high-amount",
  "foreign-country",
  "risky-merchant",
  "new-account",
  "card-not-present",
  "no-security-code",
] as const;

export const inputType = Type.Object(
  {
    amount: Type.Number({
      title: "Amount",
      description: "In the currency of the account",
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      examples: [42.5],
    }),
    card: Type.Object(
      {
        status: Type.Enum(["active", "lost", "stolen"], { type: "string", title: "Status" }),
        expiry: Type.String({
          title: "Expiry",
          description: "Last month in which the card is valid, as YYYY-MM",
          pattern: "^20[0-9]{2}-(0[1-9]|1[0-2])$",
          examples: ["2099-12"],
        }),
        cvvMatches: Type.Optional(
          Type.Boolean({ title: "Security code matches", description: "Absent if no code was requested" }),
        ),
      },
      { title: "Card", additionalProperties: false },
    ),
    cardPresent: Type.Boolean({ title: "Card present", description: "Whether the terminal read the card" }),
    merchantCategory: Type.String({
      title: "Merchant category",
      description: "ISO 18245 code",
      pattern: "^[0-9]{4}$",
      examples: ["5411"],
    }),
    country: Type.String({
      title: "Country",
      description: "The merchant's country",
      ...country,
      examples: ["DE"],
    }),
    homeCountry: Type.String({
      title: "Home country",
      description: "The card holder's country",
      ...country,
      examples: ["DE"],
    }),
    accountAgeDays: Type.Integer({ title: "Age of the account", minimum: 0, examples: [900] }),
    paymentsLastHour: Type.Integer({
      title: "Payments in the last hour",
      minimum: 0,
      maximum: 10_000,
      examples: [1],
    }),
  },
  { title: "Card payment", additionalProperties: false },
);

export const outputType = Type.Object(
  {
    verdict: Type.Enum(["approve", "challenge", "decline"], {
      type: "string",
      title: "Verdict",
      description: "`challenge` asks the card holder to confirm",
    }),
    score: Type.Integer({ title: "Score", description: "0 is harmless", minimum: 0, maximum: 100 }),
    signals: Type.Array(Type.Enum([...signalNames], { type: "string" }), {
      title: "Signals",
      description: "The signals that raised the score",
    }),
  },
  { title: "Screening", additionalProperties: false },
);

export const profileType = Type.Object(
  {
    highAmount: Type.Number({ title: "High amount", exclusiveMinimum: 0, examples: [1_000] }),
    maxPaymentsPerHour: Type.Integer({ title: "Maximum payments per hour", minimum: 1, examples: [10] }),
    challengeScore: Type.Integer({
      title: "Challenge from this score",
      minimum: 1,
      maximum: 100,
      examples: [40],
    }),
    declineScore: Type.Integer({
      title: "Decline from this score",
      minimum: 1,
      maximum: 100,
      examples: [75],
    }),
    riskyMerchantCategories: Type.Array(Type.String({ pattern: "^[0-9]{4}$" }), {
      title: "Risky merchant categories",
      maxItems: 500,
      examples: [["7995", "6051"]],
    }),
  },
  { title: "Fraud policy", additionalProperties: false },
);

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
