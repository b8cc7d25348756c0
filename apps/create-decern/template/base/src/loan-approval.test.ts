import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "@decern/core";
import { profiles } from "./decisions.js";
import { loanApproval } from "./loan-approval.js";

function ruleFor(amount: number, score: number): string {
  const result = evaluate(loanApproval, { amount, score }, profiles["loan-approval"]);
  return result.status === "OK" ? result.meta.matchedRule : result.status;
}

test("a score of 620 is enough", () => {
  assert.equal(ruleFor(9000, 619), "score-too-low");
  assert.equal(ruleFor(9000, 620), "standard");
});

test("50,000 can be lent", () => {
  assert.equal(ruleFor(50_000, 700), "standard");
  assert.equal(ruleFor(50_001, 700), "amount-too-high");
});

test("an amount must be positive", () => {
  assert.equal(ruleFor(0, 700), "INVALID_INPUT");
});
