// A module for the command in plain JavaScript: several versions, a decision that uses another, one that fails.
import { defineDecision } from "@decern/core";
import { z } from "zod";

const amount = z.object({ amount: z.number() });
const nothing = z.object({});

function loan(version) {
  return defineDecision({
    id: "loan",
    version,
    inputSchema: amount,
    outputSchema: z.object({ granted: z.boolean(), month: z.string() }),
    profileSchema: z.object({ most: z.number() }),
    rules: [
      {
        id: "small",
        when: (input, { most }) => input.amount <= most,
        emit: (_input, _profile, { now }) => ({ granted: true, month: now.toISOString().slice(0, 7) }),
        explain: (_input, { most }) => `At most ${most}`,
      },
    ],
  });
}

const first = loan("1.0.0");

const withLoan = defineDecision({
  id: "with-loan",
  version: "1.0.0",
  inputSchema: amount,
  outputSchema: z.object({ loan: z.string() }),
  profileSchema: nothing,
  uses: [first],
  rules: [
    {
      id: "asked",
      when: () => true,
      emit: (input, _profile, context) => ({ loan: context.evaluate(first, input).status }),
    },
  ],
});

const broken = defineDecision({
  id: "broken",
  version: "1.0.0",
  inputSchema: nothing,
  outputSchema: nothing,
  profileSchema: nothing,
  rules: [
    {
      id: "rate",
      when: () => {
        throw new Error("the rate table is gone");
      },
      emit: () => ({}),
    },
  ],
});

const chatty = defineDecision({
  id: "chatty",
  version: "1.0.0",
  inputSchema: nothing,
  outputSchema: nothing,
  profileSchema: nothing,
  rules: [
    {
      id: "talk",
      when: () => {
        console.log("thinking");
        return true;
      },
      emit: () => ({}),
    },
  ],
});

// Something that nobody closes.
setInterval(() => {}, 1000);

export const decisions = [first, loan("2.0.0"), withLoan, broken, chatty];
export const profiles = { loan: { most: 1000 } };
export const versions = { loan: { default: "1.0.0" } };
export const server = {
  authenticate: Object.assign((request) => request.headers["x-api-key"] === "secret", {
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-api-key" } },
  }),
};
