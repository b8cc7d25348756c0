import type { Example } from "./example.js";

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

export const instalmentPlanExamples: readonly Example[] = [
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
