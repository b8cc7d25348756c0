import { z } from "zod";
import { loanId, loanRules, loanVersion, theProfile } from "../workload/loan-approval.js";
import type { Contestant } from "./contestant.js";
import { readResult } from "./read-result.js";

const input = z.object({
  applicant: z.object({
    age: z.int().min(0).max(150),
    income: z.number().min(0),
    creditScore: z.int().min(300).max(850),
    employment: z.enum(["employed", "self-employed", "retired", "unemployed"]),
  }),
  amount: z.number().positive(),
  termMonths: z.int().min(1).max(480),
  country: z.string().length(2),
});
const profile = z.object({
  minScore: z.int(),
  maxDti: z.number().min(0),
  maxAmount: z.number().min(0),
  blockedCountries: z.array(z.string()),
});
const output = z.object({
  approved: z.boolean(),
  rate: z.number(),
  tier: z.enum(["prime", "near-prime", "standard", "none"]),
  reason: z.string(),
});

interface Trace {
  readonly ruleId: string;
  readonly matched: boolean;
  readonly explanation?: string;
}

/** The plain engine that most would write first: Zod for all three schemas at each call, and a loop. */
export function zodLoop(): Contestant {
  return {
    name: "Zod validators, loop",
    asynchronous: false,
    evaluate: run,
    read: readResult,
  };
}

function run(raw: unknown): unknown {
  const evaluatedAt = new Date().toISOString();
  const parsed = input.safeParse(raw);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => ({
      path: `/${issue.path.join("/")}`,
      message: issue.message,
      keyword: issue.code,
    }));
    const sentence = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
    const meta = { decisionId: loanId, evaluatedAt };
    return { status: "INVALID_INPUT", message: `Invalid input: ${sentence}`, errors, meta };
  }
  const settings = profile.parse(theProfile);
  const evaluatedRules: Trace[] = [];
  for (const rule of loanRules) {
    if (!rule.when(parsed.data, settings)) {
      evaluatedRules.push({ ruleId: rule.id, matched: false });
      continue;
    }
    const data = output.parse(rule.emit(parsed.data, settings));
    const explanation = typeof rule.explain === "string" ? rule.explain : rule.explain(parsed.data, settings);
    evaluatedRules.push({ ruleId: rule.id, matched: true, explanation });
    return {
      status: "OK",
      data,
      meta: {
        decisionId: loanId,
        decisionVersion: loanVersion,
        matchedRule: rule.id,
        explanation,
        evaluatedAt,
        evaluatedRules,
      },
    };
  }
  throw new TypeError("no rule matched");
}
