import type { Example } from "./example.js";

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

export const transactionRiskExamples: readonly Example[] = [
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
