import { createEvaluator, type EvaluationEvent, evaluate } from "@decern/core";
import fc from "fast-check";
import "@decern/testing/vitest";
import { describe, expect, it } from "vitest";
import { instalmentPlan, loanApproval, transactionRisk } from "../../src/decisions/index.js";

const profile = { minDepositShare: 0.1, interestFreeMonths: 12 };
const applicant = { age: 40, income: 60_000, creditScore: 760, employment: "employed" };
const card = { status: "active", expiry: "2026-06", cvvMatches: true };
const payment = {
  card,
  cardPresent: true,
  merchantCategory: "5732",
  country: "DE",
  accountAgeDays: 365,
  paymentsLastHour: 0,
};
const purchase = { price: 1_200, deposit: 200, months: 12, homeCountry: "DE", applicant, payment };
const now = new Date("2026-06-15T12:00:00Z");

interface Change {
  readonly applicant?: object;
  readonly payment?: object;
  readonly policy?: object;
  readonly at?: Date;
}

function ask(change: object = {}, { applicant: who, payment: how, policy, at = now }: Change = {}) {
  const input = {
    ...purchase,
    ...change,
    applicant: { ...applicant, ...who },
    payment: { ...payment, ...how },
  };
  const given: unknown = { ...profile, ...policy };
  const result = evaluate(instalmentPlan, input as unknown, given, { now: at });
  if (result.status !== "OK") throw new Error(`${result.status}: ${result.message}`);
  return { rule: result.meta.matchedRule, why: result.meta.explanation, ...result.data };
}

describe("instalment-plan", () => {
  it("checks in order: the deposit, the card, the credit", () => {
    const stolen = { card: { ...card, status: "stolen" } };
    const poor = { income: 0 };
    expect(ask({ deposit: 1_200 }, { applicant: poor, payment: stolen }).rule).toBe("paid-in-full");
    expect(ask({ deposit: 50 }, { applicant: poor, payment: stolen }).rule).toBe("deposit-too-low");
    expect(ask({}, { applicant: poor, payment: stolen }).rule).toBe("card-declined");
    expect(ask({}, { applicant: poor, payment: { country: "US", accountAgeDays: 3 } }).rule).toBe(
      "credit-declined",
    );
  });

  it.each([
    [1_199.99, "interest-free"],
    [1_200, "paid-in-full"],
    [1_500, "paid-in-full"],
    [119.99, "deposit-too-low"],
    [120, "interest-free"],
  ])("deposit %d of 1,200: %s", (deposit, rule) => {
    expect(ask({ deposit }).rule).toBe(rule);
  });

  it("requires no deposit if the policy says so", () => {
    expect(ask({ deposit: 0.01 }, { policy: { minDepositShare: 0 } }).rule).toBe("interest-free");
  });

  it("declines what transaction-risk declines, and gives its explanation", () => {
    expect(ask({}, { payment: { card: { ...card, status: "lost" } } })).toMatchObject({
      rule: "card-declined",
      outcome: "declined",
      rate: 0,
      monthly: 0,
      why: "The card is declined: The card was reported lost",
    });
  });

  it("screens the card at the instant of the evaluation", () => {
    expect(ask({}, { at: new Date("2026-06-30T23:59:59Z") }).rule).toBe("interest-free");
    expect(ask({}, { at: new Date("2026-07-01T00:00:00Z") }).rule).toBe("card-declined");
  });

  it("declines what loan-approval declines, and gives its reason and its explanation", () => {
    expect(ask({}, { applicant: { creditScore: 580 } })).toMatchObject({
      rule: "credit-declined",
      outcome: "declined",
      reason: "The credit score is too low",
      why: "Credit refused: Score 580 is below 620",
    });
  });

  it("asks for credit for what the deposit leaves, over the plan's months", () => {
    // 1,000 over 12 months at 12 %: 88.85 a month, 40 % of an income of 2,665.46 a year; by an annuity calculator.
    expect(ask({}, { applicant: { income: 2_665 } }).rule).toBe("credit-declined");
    expect(ask({}, { applicant: { income: 2_666 } }).rule).toBe("with-interest");
    expect(ask({ deposit: 300 }, { applicant: { income: 2_665 } }).rule).toBe("with-interest");
  });

  it("asks the credit's policy about the country where the customer lives", () => {
    expect(ask({ homeCountry: "KP" }, { payment: { country: "KP" } }).why).toBe(
      "Credit refused: KP is on the policy's list of blocked countries",
    );
  });

  it("offers the plan, but has the card confirmed, if transaction-risk challenges it", () => {
    const abroad = { country: "US", accountAgeDays: 3 };
    expect(ask({}, { payment: abroad })).toMatchObject({
      rule: "confirm-card",
      outcome: "confirm-card",
      rate: 0,
      monthly: 83.33,
      why: "The card holder must confirm: Score 45 is 40 or more: foreign-country, new-account",
    });
    // The score counts the deposit, not the price.
    expect(ask({ price: 9_000, deposit: 1_000 }).outcome).toBe("offered");
    expect(ask({ price: 9_000, deposit: 1_001 }, { payment: { cardPresent: false } }).outcome).toBe(
      "confirm-card",
    );
  });

  // 1,000 without interest over 12 months, and by an annuity calculator for the rest.
  it.each([
    [12, 760, "interest-free", 0, 83.33],
    [24, 760, "with-interest", 4.9, 43.83],
    [12, 700, "with-interest", 7.9, 86.94],
    [12, 640, "with-interest", 12.9, 89.27],
  ])("%i months with score %i: %s at %d %%, %d a month", (months, creditScore, rule, rate, monthly) => {
    expect(ask({ months }, { applicant: { creditScore } })).toMatchObject({
      rule,
      outcome: "offered",
      rate,
      monthly,
    });
  });

  it("takes the interest-free months from the policy", () => {
    expect(ask({ months: 24 }, { policy: { interestFreeMonths: 24 } }).rule).toBe("interest-free");
    expect(ask({ months: 6 }, { policy: { interestFreeMonths: 0 } }).rule).toBe("with-interest");
  });

  it("tells observers what it used, each once", async () => {
    const events: EvaluationEvent[] = [];
    const clock = { now: () => now.getTime(), monotonic: () => 0 };
    const evaluator = createEvaluator({
      clock,
      observers: [{ onEvaluated: (event) => void events.push(event) }],
    });
    await evaluator.evaluate(instalmentPlan, { input: purchase as unknown, profile });
    const used = events.flatMap((event) =>
      event.used.map(({ decision: { id, version }, input }) => ({ id, version, input })),
    );
    expect(used).toMatchObject([
      { id: transactionRisk.id, version: transactionRisk.version, input: { amount: 200 } },
      { id: loanApproval.id, version: loanApproval.version, input: { amount: 1_000, termMonths: 12 } },
    ]);
  });

  it("has a plan for every valid purchase: what it uses never refuses its input", () => {
    const country = fc.constantFrom("DE", "GB", "KP", "ZZ");
    const amount = fc.double({ min: 0.01, max: 1_000_000, noNaN: true });
    const anyPurchase = fc.record({
      price: amount,
      deposit: amount,
      months: fc.integer({ min: 6, max: 60 }),
      homeCountry: country,
      applicant: fc.record({
        age: fc.integer({ min: 0, max: 130 }),
        income: fc.double({ min: 0, max: 100_000_000, noNaN: true }),
        creditScore: fc.integer({ min: 300, max: 850 }),
        employment: fc.constantFrom("employed", "self-employed", "retired", "student", "unemployed"),
      }),
      payment: fc.record({
        card: fc.record({
          status: fc.constantFrom("active", "active", "lost"),
          expiry: fc.constantFrom("2099-12", "2020-01"),
          cvvMatches: fc.boolean(),
        }),
        cardPresent: fc.boolean(),
        merchantCategory: fc.constantFrom("5732", "7995"),
        country,
        accountAgeDays: fc.nat(),
        paymentsLastHour: fc.nat({ max: 20 }),
      }),
    });
    fc.assert(
      fc.property(anyPurchase, (input: unknown) => {
        expect(evaluate(instalmentPlan, input, profile).status).toBe("OK");
      }),
    );
  });

  it.each([
    ["price", { price: 0 }, "/price"],
    ["deposit", { deposit: -1 }, "/deposit"],
    ["number of months", { months: 61 }, "/months"],
    ["applicant", { applicant: { ...applicant, creditScore: 900 } }, "/applicant/creditScore"],
    ["card", { payment: { ...payment, card: { ...card, status: "new" } } }, "/payment/card/status"],
    ["payment with an amount of its own", { payment: { ...payment, amount: 5 } }, "/payment"],
  ])("reports an invalid %s at its field", (_what, change, path) => {
    const result = evaluate(instalmentPlan, { ...purchase, ...change } as unknown, profile);
    if (result.status !== "INVALID_INPUT") throw new Error(result.status);
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]?.path.startsWith(path)).toBe(true);
  });

  it.each([{ minDepositShare: 1.1 }, { minDepositShare: -0.1 }, { interestFreeMonths: 0.5 }])(
    "refuses the policy %o",
    (policy) => {
      const given: unknown = { ...profile, ...policy };
      expect(evaluate(instalmentPlan, purchase as unknown, given)).toBeInvalidProfile(
        ...Object.keys(policy).map((name) => `/${name}`),
      );
    },
  );
});
