import { evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { loanApproval, loanApproval2, profiles } from "../../src/decisions/index.js";

const profile = { minScore: 620, maxDti: 0.4, maxAmount: 75_000, blockedCountries: ["KP"] };
const applicant = { age: 40, income: 60_000, creditScore: 760, employment: "employed" };
const application = { applicant, amount: 12_000, termMonths: 48, country: "GB" };

function ask(
  change: object = {},
  who: object = {},
  policy: object = {},
  decision: typeof loanApproval | typeof loanApproval2 = loanApproval2,
) {
  const input = { ...application, ...change, applicant: { ...applicant, ...who } };
  const result = evaluate(decision, input as unknown, { ...profile, ...policy } as unknown);
  if (result.status !== "OK") throw new Error(`${result.status}: ${result.message}`);
  return { rule: result.meta.matchedRule, why: result.meta.explanation, ...result.data };
}

describe("loan-approval 2.0.0", () => {
  it("is another version of the same decision", () => {
    expect(loanApproval2.id).toBe(loanApproval.id);
    expect(loanApproval2.version).not.toBe(loanApproval.version);
  });

  it("checks in order: a blocked country takes precedence over everything", () => {
    expect(ask({ country: "KP", amount: 9_000_000 }, { age: 12, creditScore: 300 }).rule).toBe(
      "blocked-country",
    );
    expect(ask({ amount: 9_000_000 }, { age: 12, creditScore: 300 }).rule).toBe("age-and-term");
    expect(ask({ amount: 9_000_000 }, { creditScore: 300 }).rule).toBe("score-too-low");
    expect(ask({ amount: 9_000_000 }, { income: 0 }).rule).toBe("amount-too-high");
    expect(ask({}, { income: 0 }).rule).toBe("debt-to-income");
  });

  // 12,000 over 48 months: 303.78 a month at 9.9 %, 321.33 at 12.9 %, 351.87 at 17.9 %; by an annuity calculator.
  it.each([
    [760, 9_113, "debt-to-income"],
    [760, 9_114, "prime"],
    [700, 9_640, "debt-to-income"],
    [700, 9_641, "near-prime"],
    [640, 10_556, "debt-to-income"],
    [640, 10_557, "standard"],
  ])("tests score %i with income %i at its own rate plus 5 points: %s", (creditScore, income, rule) => {
    expect(ask({}, { creditScore, income }).rule).toBe(rule);
  });

  it("explains which rate it tested", () => {
    expect(ask({}, { income: 9_000 }).why).toBe(
      "At 9.9 % the instalment takes 40.5 % of the income, above 40 %",
    );
    expect(ask({}, { income: 0 }).why).toContain("more than 100 % of the income");
  });

  it("takes the margin from the policy", () => {
    // 286.80 a month at 6.9 %.
    expect(ask({}, { income: 8_603 }, { stressMargin: 2 }).rule).toBe("debt-to-income");
    expect(ask({}, { income: 8_604 }, { stressMargin: 2 }).rule).toBe("prime");
    // 275.81 a month at 4.9 %.
    expect(ask({}, { income: 8_274 }, { stressMargin: 0 }).rule).toBe("debt-to-income");
    expect(ask({}, { income: 8_275 }, { stressMargin: 0 }).rule).toBe("prime");
  });

  it.each([
    [739, "employed", "near-prime", 7.9],
    [740, "employed", "prime", 4.9],
    [740, "student", "near-prime", 7.9],
    [740, "unemployed", "standard", 12.9],
    [679, "retired", "standard", 12.9],
  ])("score %i, %s: %s", (creditScore, employment, tier, rate) => {
    expect(ask({}, { creditScore, employment })).toMatchObject({ rule: tier, tier, rate, approved: true });
  });

  it("grants what version 1.2.0 refuses because it tests at 12 %, and the reverse", () => {
    expect(ask({}, { income: 9_200 }, {}, loanApproval).rule).toBe("debt-to-income");
    expect(ask({}, { income: 9_200 }).rule).toBe("prime");
    expect(ask({}, { income: 10_000, creditScore: 640 }, {}, loanApproval).rule).toBe("standard");
    expect(ask({}, { income: 10_000, creditScore: 640 }).rule).toBe("debt-to-income");
  });

  it("accepts every policy of version 1.2.0", () => {
    for (const policy of [profiles["loan-approval"], profiles["loan-approval#strict"]]) {
      const result = evaluate(loanApproval2, application as unknown, policy as unknown);
      expect(result.status).toBe("OK");
    }
  });

  it.each([{ stressMargin: -1 }, { stressMargin: 21 }, { stressMargin: "5" }, { margin: 5 }])(
    "refuses the policy %o",
    (policy) => {
      const result = evaluate(loanApproval2, application as unknown, { ...profile, ...policy } as unknown);
      expect(result.status).toBe("INVALID_PROFILE");
    },
  );
});
