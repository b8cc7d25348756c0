import { type Decision, defineDecision, type Hooks } from "@decern/core";
import type { DecisionMount } from "@decern/openapi";
import { z } from "zod";

function loanApproval<const Version extends string>(version: Version) {
  return defineDecision({
    id: "loan-approval",
    version,
    inputSchema: z.object({
      amount: z
        .number()
        .positive()
        .meta({ examples: [9000] }),
    }),
    outputSchema: z.object({ approved: z.boolean(), version: z.literal(version) }),
    profileSchema: z.object({ maxAmount: z.number().default(50_000) }),
    rules: [
      {
        id: "within-limit",
        when: ({ amount }, { maxAmount }) => {
          if (amount === 500) throw new Error("a fault of the decision");
          return amount <= maxAmount;
        },
        emit: () => ({ approved: true, version }),
      },
    ],
  });
}

/** Its id and the name of its schema are also names in the applications. */
const error = defineDecision({
  id: "error",
  version: "1.0.0",
  inputSchema: z.object({ text: z.string().meta({ examples: ["Out of stock"] }) }),
  outputSchema: z.object({ severity: z.enum(["low", "high"]) }),
  profileSchema: z.object({}),
  rules: [{ id: "low", when: () => true, emit: () => ({ severity: "low" as const }) }],
});

export const decisions: readonly Decision[] = [
  loanApproval("1.1.0"),
  loanApproval("1.2.0"),
  loanApproval("2.0.0+b"),
  error,
];

export const versions = {
  "loan-approval": {
    default: "1.2.0",
    deprecated: {
      "1.1.0": { since: "2026-01-01", sunset: "2027-01-01", link: "https://shop.example/loans-1.1" },
    },
    retired: ["0.9.0"],
  },
};

/** Where both applications serve the decisions. */
export const mount: DecisionMount = { decisions, versions, prefix: "/api/decisions" };

/** Refuses one amount. */
export const hooks: Hooks = {
  beforeEvaluate: ({ input }) => {
    if (typeof input === "object" && input !== null && "amount" in input && input.amount === 403) {
      throw Object.assign(new Error("Not for you"), { statusCode: 403, code: "NOT_FOR_YOU" });
    }
  },
};

export const info = {
  title: "Shop",
  version: "1.0.0",
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
};
