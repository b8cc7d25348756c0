import { evaluate } from "@decern/core";
import "@decern/testing/vitest";
import { describe, expect, it } from "vitest";
import { transactionRisk } from "../../src/decisions/index.js";

const profile = {
  highAmount: 1_000,
  maxPaymentsPerHour: 10,
  challengeScore: 40,
  declineScore: 75,
  riskyMerchantCategories: ["7995"],
};
const card = { status: "active", expiry: "2026-06", cvvMatches: true };
const payment = {
  amount: 20,
  card,
  cardPresent: true,
  merchantCategory: "5411",
  country: "DE",
  homeCountry: "DE",
  accountAgeDays: 365,
  paymentsLastHour: 0,
};
const now = new Date("2026-06-15T12:00:00Z");

function ask(change: object, at = now, policy: object = profile) {
  const result = evaluate(transactionRisk, { ...payment, ...change } as unknown, policy as unknown, {
    now: at,
  });
  if (result.status !== "OK") throw new Error(`${result.status}: ${result.message}`);
  return { rule: result.meta.matchedRule, why: result.meta.explanation, ...result.data };
}

describe("transaction-risk", () => {
  it.each([
    [{}, 0, []],
    [{ amount: 1_000 }, 0, []],
    [{ amount: 1_000.01 }, 35, ["high-amount"]],
    [{ country: "FR" }, 25, ["foreign-country"]],
    [{ merchantCategory: "7995" }, 25, ["risky-merchant"]],
    [{ accountAgeDays: 29 }, 20, ["new-account"]],
    [{ accountAgeDays: 30 }, 0, []],
    [{ cardPresent: false }, 10, ["card-not-present"]],
    [
      { cardPresent: false, card: { status: "active", expiry: "2026-06" } },
      25,
      ["card-not-present", "no-security-code"],
    ],
  ])("scores %o as %i", (change, score, signals) => {
    expect(ask(change)).toMatchObject({ rule: "low-risk", verdict: "approve", score, signals });
  });

  it("adds up signals, challenges from 40 and declines from 75", () => {
    expect(ask({ amount: 2_000 })).toMatchObject({ verdict: "approve", score: 35 });
    expect(ask({ amount: 2_000, cardPresent: false })).toMatchObject({ verdict: "challenge", score: 45 });
    expect(ask({ amount: 2_000, country: "FR", cardPresent: false })).toMatchObject({
      verdict: "challenge",
      score: 70,
    });
    expect(ask({ amount: 2_000, country: "FR", accountAgeDays: 1 })).toMatchObject({
      rule: "high-risk",
      verdict: "decline",
      score: 80,
      why: "Score 80 is 75 or more: high-amount, foreign-country, new-account",
    });
  });

  it("never scores above 100", () => {
    const worst = {
      amount: 2_000,
      country: "FR",
      merchantCategory: "7995",
      accountAgeDays: 0,
      cardPresent: false,
    };
    expect(ask(worst).score).toBe(100);
  });

  it.each([
    ["2026-06-30T23:59:59.999Z", "low-risk"],
    ["2026-07-01T00:00:00.000Z", "card-expired"],
    ["2027-01-01T00:00:00.000Z", "card-expired"],
  ])("a card that is valid until 2026-06, at %s: %s", (at, rule) => {
    expect(ask({}, new Date(at)).rule).toBe(rule);
  });

  it("checks in order", () => {
    const worst = {
      card: { status: "lost", expiry: "2020-01", cvvMatches: false },
      cardPresent: false,
      paymentsLastHour: 99,
    };
    expect(ask(worst).rule).toBe("card-blocked");
    expect(ask({ ...worst, card: { ...worst.card, status: "active" } }).rule).toBe("card-expired");
    expect(ask({ ...worst, card: { ...card, cvvMatches: false } }).rule).toBe("cvv-mismatch");
    expect(ask({ ...worst, card }).rule).toBe("too-many-payments");
  });

  it("ignores a wrong security code if the terminal read the card", () => {
    expect(ask({ card: { ...card, cvvMatches: false } }).rule).toBe("low-risk");
  });

  it("counts payments up to the limit", () => {
    expect(ask({ paymentsLastHour: 10 }).rule).toBe("low-risk");
    expect(ask({ paymentsLastHour: 11, country: "FR" })).toMatchObject({
      rule: "too-many-payments",
      verdict: "decline",
      signals: ["velocity", "foreign-country"],
    });
  });

  it.each([
    [{ amount: 0 }, "/amount"],
    [{ card: { ...card, expiry: "06/26" } }, "/card/expiry"],
    [{ card: { ...card, expiry: "2026-13" } }, "/card/expiry"],
    [{ merchantCategory: "541" }, "/merchantCategory"],
    [{ country: "Deutschland" }, "/country"],
    [{ accountAgeDays: -1 }, "/accountAgeDays"],
  ])("refuses %o", (change, pointer) => {
    const result = evaluate(transactionRisk, { ...payment, ...change } as unknown, profile);
    expect(result).toBeInvalidInput(pointer);
  });
});
