import { defineDecision, evaluate } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  evaluatedRungs,
  issuesOf,
  ladderOf,
  type Reply,
  statusOf,
  versionOf,
} from "../../src/model/reply.js";

const decision = defineDecision({
  id: "d",
  version: "1",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({}),
  profileSchema: z.object({ m: z.number().default(0) }),
  rules: [
    { id: "one", when: (input) => input.n === 1, emit: () => ({}), explain: "It is one" },
    { id: "two", when: (input) => input.n === 2, emit: () => ({}) },
    { id: "three", when: (input) => input.n === 3, emit: () => ({}) },
  ],
});

const reply = (input: unknown, profile?: unknown): Reply => ({
  httpStatus: 200,
  requestId: "r",
  milliseconds: 1,
  body: evaluate(decision, input, profile),
  sent: { input, profile },
});
const states = (answer: Reply | undefined) => ladderOf(decision.ruleIds, answer).map(({ state }) => state);

it("reads how far an evaluation went from its envelope", () => {
  expect(states(undefined)).toEqual(["pending", "pending", "pending"]);
  expect(states(reply({ n: 1 }))).toEqual(["hit", "unreached", "unreached"]);
  expect(states(reply({ n: 2 }))).toEqual(["miss", "hit", "unreached"]);
  expect(states(reply({ n: 9 }))).toEqual(["miss", "miss", "miss"]);
  expect(states(reply({}))).toEqual(["unreached", "unreached", "unreached"]);
  expect(ladderOf(decision.ruleIds, reply({ n: 1 }))[0]?.explanation).toBe("It is one");
});

it("reads the rules and the version from an envelope alone, whatever version it is of", () => {
  expect(evaluatedRungs(reply({ n: 2 }).body)).toEqual([
    { id: "one", state: "miss", explanation: undefined },
    { id: "two", state: "hit", explanation: 'Rule "two" matched' },
  ]);
  expect(versionOf(reply({ n: 2 }))).toBe("1");
  for (const body of [
    undefined,
    null,
    "text",
    [],
    {},
    { meta: 1 },
    { meta: { evaluatedRules: [null, 1] } },
  ]) {
    expect(evaluatedRungs(body)).toEqual([]);
    expect(versionOf({ ...reply({ n: 1 }), body })).toBeUndefined();
  }
});

it("assigns errors to the part they refer to", () => {
  expect(issuesOf(reply({ n: "x" }), "input").map(({ path }) => path)).toEqual(["/n"]);
  expect(issuesOf(reply({ n: "x" }), "profile")).toEqual([]);
  expect(issuesOf(reply({ n: 1 }, { m: "x" }), "profile").map(({ path }) => path)).toEqual(["/m"]);
});

it("has a status for every possible reply", () => {
  const of = (httpStatus: number, body: unknown) => statusOf({ ...reply({ n: 1 }), httpStatus, body });
  expect(of(404, { error: "Decision not found: x", code: "DECISION_NOT_FOUND" })).toBe("DECISION_NOT_FOUND");
  expect(of(400, { error: "Missing 'input' in request body" })).toBe("HTTP 400");
  expect(of(502, undefined)).toBe("HTTP 502");
  expect(of(0, { error: "Couldn't reach the service" })).toBe("NO RESPONSE");
});
