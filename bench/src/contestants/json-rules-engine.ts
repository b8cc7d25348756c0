import { Engine, type RuleProperties, type TopLevelCondition } from "json-rules-engine";
import { z } from "zod";
import { type LoanInput, loanRules, theProfile } from "../workload/loan-approval.js";
import type { Contestant } from "./contestant.js";

const score = { fact: "applicant", path: "$.creditScore" };
const setting = (name: string) => ({ fact: "profile", path: `$.${name}` }) as const;
const employment = { fact: "applicant", path: "$.employment" };

const conditions: Readonly<Record<string, TopLevelCondition>> = {
  "blocked-country": { all: [{ fact: "country", operator: "in", value: setting("blockedCountries") }] },
  "age-and-term": {
    any: [
      { fact: "applicant", path: "$.age", operator: "lessThan", value: 18 },
      { fact: "ageAtEnd", operator: "greaterThan", value: 75 },
    ],
  },
  score: { all: [{ ...score, operator: "lessThan", value: setting("minScore") }] },
  "debt-to-income": {
    any: [
      { fact: "amount", operator: "greaterThan", value: setting("maxAmount") },
      { fact: "debtToIncome", operator: "greaterThan", value: setting("maxDti") },
    ],
  },
  prime: {
    all: [
      { ...score, operator: "greaterThanInclusive", value: 760 },
      { ...employment, operator: "equal", value: "employed" },
    ],
  },
  "near-prime": { all: [{ ...score, operator: "greaterThanInclusive", value: 680 }] },
  default: { all: [{ fact: "amount", operator: "greaterThan", value: 0 }] },
};

const readable = z.object({ events: z.tuple([z.object({ type: z.string() })]) });

/**
 * json-rules-engine: one rule a rule, by priority, stopped at the first that matches. It has no arithmetic, so two facts
 * are computed for it.
 */
export function jsonRulesEngine(): Contestant {
  const rules = loanRules.map(({ id }, index): RuleProperties => {
    const condition = conditions[id];
    if (condition === undefined) throw new RangeError(`no condition for ${id}`);
    return { name: id, conditions: condition, event: { type: id }, priority: loanRules.length - index };
  });
  const engine = new Engine(rules);
  engine.on("success", () => void engine.stop());
  const run = ({ applicant, amount, termMonths, country }: LoanInput): unknown =>
    engine.run({
      profile: theProfile,
      applicant,
      amount,
      country,
      ageAtEnd: applicant.age + termMonths / 12,
      debtToIncome: ((amount / termMonths) * 12) / applicant.income,
    });
  return {
    name: "json-rules-engine",
    asynchronous: true,
    evaluate: (input) => {
      if (!isLoan(input)) throw new TypeError("not a loan");
      return run(input);
    },
    read: (answer) => ({ status: "OK", rule: readable.parse(answer).events[0].type }),
  };
}

/** Tells the compiler what an input is, and costs next to nothing. */
function isLoan(input: unknown): input is LoanInput {
  return typeof input === "object" && input !== null && "applicant" in input;
}
