import { defineDecision, evaluate } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { expectedText, proofOf } from "../../src/model/examples.js";
import type { Reply } from "../../src/model/reply.js";
import { announce, verdictOf } from "../../src/model/reply.js";

const decision = defineDecision({
  id: "d",
  version: "1",
  inputSchema: z.object({ n: z.number(), m: z.number().default(0) }),
  outputSchema: z.object({ big: z.boolean() }),
  profileSchema: z.object({ least: z.number().default(10) }),
  rules: [
    {
      id: "big",
      when: (input, profile) => input.n >= profile.least,
      emit: () => ({ big: true }),
      explain: (input) => `${input.n} is big`,
    },
  ],
});

const reply = (body: unknown, httpStatus = 200): Reply => ({
  httpStatus,
  requestId: "r",
  milliseconds: 1,
  body,
  sent: { input: {}, profile: undefined },
});
const answer = (input: unknown, profile?: unknown) => reply(evaluate(decision, input, profile));

it("leads with the rule and its reason", () => {
  expect(verdictOf(answer({ n: 12 }))).toMatchObject({ rule: "big", reason: "12 is big", mayPass: false });
  expect(announce(answer({ n: 12 }))).toBe("OK. big decided: 12 is big");
});

it("says what else came of a call, and whether to try again", () => {
  const titleOf = (one: Reply) => [verdictOf(one).title, verdictOf(one).mayPass];
  expect(titleOf(answer({ n: 1 }))).toEqual(["No rule matched", false]);
  expect(titleOf(answer({}))).toEqual(["The input is not valid", false]);
  expect(titleOf(answer({ n: 1 }, { least: "x" }))).toEqual(["The profile is not valid", false]);
  expect(titleOf(reply({ error: "Evaluation failed", code: "EVALUATION_FAILED" }, 500))).toEqual([
    "The decision failed",
    true,
  ]);
  expect(titleOf(reply({ error: "Too busy", code: "OVERLOADED" }, 503))).toEqual([
    "The service could not respond",
    true,
  ]);
  expect(titleOf(reply({ error: "Not for you", code: "NOT_FOR_YOU" }, 403))).toEqual([
    "The service refused the call",
    false,
  ]);
  expect(titleOf(reply({ error: "Couldn't reach the service" }, 0))).toEqual(["No response", true]);
});

it("counts the values that need a change", () => {
  expect(verdictOf(answer({ n: "x" })).reason).toBe("1 value needs a change");
  expect(verdictOf(answer({ n: "x", m: "y" })).reason).toBe("2 values need a change");
});

it("says that a proxy's page is no reply of the service", () => {
  expect(verdictOf(reply(undefined, 502)).reason).toBe("The reply with HTTP status 502 is not JSON");
});

it.each([
  ["the status alone", { status: "OK" }, true],
  ["the rule", { status: "OK", matchedRule: "big" }, true],
  ["the data", { status: "OK", data: { big: true } }, true],
  ["another status", { status: "NO_MATCH" }, false],
  ["another rule", { status: "OK", matchedRule: "small" }, false],
  ["other data", { status: "OK", data: { big: false } }, false],
])("compares an outcome with %s that an example expects", (_name, expected, asExpected) => {
  expect(proofOf(expected, answer({ n: 12 }))).toEqual({ asExpected, outcome: "big" });
});

it("names what is expected by the rule, else by the status", () => {
  expect(expectedText({ status: "OK", matchedRule: "big" })).toBe("big");
  expect(expectedText({ status: "NO_MATCH" })).toBe("NO MATCH");
});
