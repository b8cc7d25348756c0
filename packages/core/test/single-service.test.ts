import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSingleService, decisionRows } from "../src/host.js";
import { DecernError, type Decision, defineDecision, evaluate, withProfile } from "../src/index.js";
import { recordingLogger } from "./fixtures.js";
import { targetOf } from "./fixtures-http.js";

const base = defineDecision({
  id: "base",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({ limit: z.number() }),
  profileSchema: z.object({ limit: z.number() }),
  rules: [{ id: "always", when: () => true, emit: (_input, { limit }) => ({ limit }) }],
});

/** Evaluates a decision that it uses, and so needs no profile itself. */
function using<Id extends string>(id: Id, used: Decision<object, { limit: number }>) {
  return defineDecision({
    id,
    version: "1.0.0",
    inputSchema: z.object({}),
    outputSchema: z.object({ limit: z.number() }),
    profileSchema: z.object({ own: z.number().default(1) }),
    uses: [used],
    rules: [
      {
        id: "always",
        when: () => true,
        emit: (_input, _profile, context) => {
          const result = context.evaluate(used, {});
          return { limit: result.status === "OK" ? result.data.limit : -1 };
        },
      },
    ],
  });
}

function problemsOf(options: Omit<Parameters<typeof createSingleService>[1], "logger">) {
  try {
    const given = { ...options, logger: recordingLogger() };
    createSingleService("owner", given, { rows: decisionRows });
  } catch (error) {
    if (error instanceof DecernError) return error.problems;
    throw error;
  }
  return [];
}

describe("createSingleService", () => {
  const lacking = {
    path: "/decision/uses",
    message: expect.stringMatching(
      /^decision "base" cannot run without a profile \(.*limit.*\); list withProfile/,
    ),
  };

  it.each([
    ["directly", using("top", base)],
    ["at any depth", using("top", using("middle", using("low", base)))],
  ])(
    "refuses a decision that uses, %s, one without its required profile, whatever a call may bring",
    (_how, decision) => {
      for (const more of [
        {},
        { profile: { own: 2 } },
        { profileResolver: () => ({ own: 2 }) },
        { hooks: { beforeEvaluate: () => ({ profile: { limit: 1 } }) } },
      ]) {
        expect(problemsOf({ decision, ...more })).toEqual([lacking]);
      }
    },
  );

  it("takes a used decision that has its profile, and evaluates it with that", () => {
    const decision = using("top", using("middle", withProfile(base, { limit: 7 })));
    expect(problemsOf({ decision })).toEqual([]);
    const { served } = targetOf(createSingleService("owner", { decision }).catalogue.current);
    expect(evaluate(served.choice.decision, {})).toMatchObject({ status: "OK", data: { limit: 7 } });
  });

  it("lists every problem at once: options, used decisions and the profile", () => {
    const options = { decision: using("top", base), profile: { own: "x" }, profil: 1, hookTimeoutMs: -1 };
    expect(problemsOf(options).map(({ path }) => path)).toEqual([
      "/profil",
      "/hookTimeoutMs",
      "/decision/uses",
      "/profile/own",
    ]);
  });
});

it("tells observers what is served, and goes on when one throws", () => {
  const served: unknown[] = [];
  const logger = recordingLogger();
  const fail = (): never => {
    throw new Error("observer");
  };
  const observers = [
    { onEvaluated() {}, onServed: fail },
    { onEvaluated() {}, onServed: (all: readonly Decision[]) => void served.push(...all) },
  ];
  const options = { decision: base, profile: { limit: 1 }, observers, logger };
  createSingleService("owner", options);
  expect(served).toMatchObject([{ id: "base", version: "1.0.0" }]);
});
