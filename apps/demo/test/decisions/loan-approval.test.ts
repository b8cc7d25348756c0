import { evaluate } from "@decern/core";
import "@decern/testing/vitest";
import { describe, expect, it } from "vitest";
import { loanApproval } from "../../src/decisions/index.js";

const profile = { minScore: 620, maxDti: 0.4, maxAmount: 75_000, blockedCountries: ["KP"] };
const applicant = { age: 40, income: 60_000, creditScore: 760, employment: "employed" };
const application = { applicant, amount: 12_000, termMonths: 48, country: "GB" };

function ask(change: object = {}, who: object = {}, policy: object = {}) {
  const input = { ...application, ...change, applicant: { ...applicant, ...who } };
  const result = evaluate(loanApproval, input as unknown, { ...profile, ...policy } as unknown);
  if (result.status !== "OK") throw new Error(`${result.status}: ${result.message}`);
  return { rule: result.meta.matchedRule, why: result.meta.explanation, ...result.data };
}

describe("loan-approval", () => {
  it("checks in order: a blocked country takes precedence over everything", () => {
    expect(ask({ country: "KP", amount: 9_000_000 }, { age: 12, creditScore: 300 }).rule).toBe(
      "blocked-country",
    );
    expect(ask({ amount: 9_000_000 }, { age: 12, creditScore: 300 }).rule).toBe("age-and-term");
    expect(ask({ amount: 9_000_000 }, { creditScore: 300 }).rule).toBe("score-too-low");
    expect(ask({ amount: 9_000_000 }).rule).toBe("debt-to-income");
  });

  it.each([
    [17, 48, "age-and-term"],
    [18, 48, "prime"],
    [71, 48, "prime"],
    [71, 49, "age-and-term"],
    [72, 48, "age-and-term"],
    [75, 6, "age-and-term"],
  ])("age %i over %i months: %s", (age, termMonths, rule) => {
    expect(ask({ termMonths, amount: 4_000 }, { age }).rule).toBe(rule);
  });

  it.each([
    [619, "score-too-low", 0, "declined"],
    [620, "standard", 12.9, "standard"],
    [679, "standard", 12.9, "standard"],
    [680, "near-prime", 7.9, "near-prime"],
    [739, "near-prime", 7.9, "near-prime"],
    [740, "prime", 4.9, "prime"],
  ])("score %i: %s", (creditScore, rule, rate, tier) => {
    expect(ask({}, { creditScore })).toMatchObject({ rule, rate, tier, approved: rate > 0 });
  });

  it("tests the instalment at 12 % a year", () => {
    // 12,000 over 48 months at 1 % a month: 316.01 a month (annuity table), 40 % of an income of 9,480 a year.
    expect(ask({}, { income: 9_480 }).rule).toBe("debt-to-income");
    expect(ask({}, { income: 9_482 }).rule).toBe("near-prime");
    // The best rate requires half of that share: twice the income.
    expect(ask({}, { income: 18_960 }).rule).toBe("near-prime");
    expect(ask({}, { income: 18_964 }).rule).toBe("prime");
  });

  it("declines without an income, and explains why", () => {
    expect(ask({}, { income: 0 })).toMatchObject({
      rule: "debt-to-income",
      why: "At 12 % the instalment takes more than 100 % of the income, above 40 %",
    });
  });

  it("lends up to the policy's limit", () => {
    expect(ask({ amount: 75_000, termMonths: 120 }, { income: 900_000 }).rule).toBe("prime");
    expect(ask({ amount: 75_000.01, termMonths: 120 }, { income: 900_000 }).why).toBe(
      "Amount 75000.01 is above the limit of 75000",
    );
  });

  it.each([
    ["employed", "prime"],
    ["self-employed", "prime"],
    ["retired", "prime"],
    ["student", "near-prime"],
    ["unemployed", "standard"],
  ])("the best rate requires a steady income: %s gets %s", (employment, rule) => {
    expect(ask({}, { employment }).rule).toBe(rule);
  });

  it.each([
    ["amount", { amount: 0 }, "/amount"],
    ["term", { termMonths: 5 }, "/termMonths"],
    ["country", { country: "gb" }, "/country"],
    ["employment", { applicant: { ...applicant, employment: "pirate" } }, "/applicant/employment"],
    ["an unknown field", { applicant: { ...applicant, nickname: "Al" } }, "/applicant"],
  ])("reports an invalid %s at its field", (_what, change, path) => {
    const result = evaluate(loanApproval, { ...application, ...change } as unknown, profile);
    if (result.status !== "INVALID_INPUT") throw new Error(result.status);
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]?.path.startsWith(path)).toBe(true);
  });

  it.each([{ minScore: 900 }, { maxDti: 0 }, { maxDti: 1.1 }, { blockedCountries: ["Korea"] }])(
    "refuses the policy %o",
    (policy) => {
      const given: unknown = { ...profile, ...policy };
      expect(evaluate(loanApproval, application as unknown, given)).toBeInvalidProfile();
    },
  );
});
