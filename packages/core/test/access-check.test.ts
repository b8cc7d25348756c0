import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createAccessCheck, createRequestHandler, EvaluationPipeline } from "../src/host.js";
import { defineDecision, type Result, type Schema } from "../src/index.js";
import { access, loan, recordingLogger } from "./fixtures.js";

function emitting(data: unknown, outputSchema: Schema = z.looseObject({ allowed: z.boolean().optional() })) {
  return defineDecision({
    id: "check",
    version: "1",
    inputSchema: z.unknown(),
    outputSchema,
    profileSchema: z.object({}),
    rules: [{ id: "r", when: () => true, emit: () => data }],
  });
}

async function check(decision: ReturnType<typeof emitting>, isDenied?: (result: Result) => boolean) {
  const handler = createRequestHandler(new EvaluationPipeline({ logger: recordingLogger() }), decision, {
    input: (input: unknown) => input,
  });
  return createAccessCheck(decision, handler, isDenied)({}, "r");
}

describe("createAccessCheck", () => {
  it.each([
    [{ allowed: true }, true],
    [{ allowed: false }, false],
    [{}, false],
    [{ allowed: true, approved: false }, false],
    [{ allow: true }, true],
    [{ granted: true, permitted: true }, true],
    [{ allowed: "true" }, false],
    [Object.create({ allowed: true }), false],
  ])("reads %j as %s", async (data, allowed) => {
    const anything = z.any().meta({ type: "object", properties: { allowed: { type: "boolean" } } });
    expect((await check(emitting(data, anything))).allowed).toBe(allowed);
  });

  it("allows only on an exact false of isDenied", async () => {
    const data = { allowed: true };
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (answer) => {
        const isDenied = (): never => {
          const box: { answer: never } = JSON.parse("{}");
          Reflect.set(box, "answer", answer);
          return box.answer;
        };
        expect((await check(emitting(data), isDenied)).allowed).toBe(answer === false);
      }),
    );
  });

  it("denies every status but OK", async () => {
    const handler = createRequestHandler(new EvaluationPipeline(), access, {
      input: (role: unknown) => ({ role }),
    });
    const verdict = createAccessCheck(access, handler, undefined);
    const answers = await Promise.all(["admin", "guest", "stranger", 1].map((role) => verdict(role, "r")));
    expect(answers.map((answer) => answer.allowed)).toEqual([true, false, false, false]);
  });

  it("denies on a fault, and hands on an error that says nothing", async () => {
    const failing = defineDecision({
      id: "check",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.object({ allowed: z.boolean() }),
      profileSchema: z.object({}),
      rules: [
        {
          id: "secret-rule",
          when: () => {
            throw new Error("secret");
          },
          emit: () => ({ allowed: true }),
        },
      ],
    });
    const handler = createRequestHandler(new EvaluationPipeline({ logger: recordingLogger() }), failing, {
      input: () => ({}),
    });
    const verdict = await createAccessCheck(failing, handler, () => false)({}, "r");
    expect(verdict).toMatchObject({
      allowed: false,
      thrown: { message: "Evaluation failed", cause: { message: "secret" } },
    });
  });

  it("refuses a decision whose output cannot say no, unless isDenied can", () => {
    const rate = emitting({ rate: 1 }, z.object({ rate: z.number() }));
    const handler = createRequestHandler(new EvaluationPipeline(), rate, { input: () => ({}) });
    expect(() => createAccessCheck(rate, handler, undefined)).toThrow("isDenied");
    expect(() => createAccessCheck(rate, handler, () => true)).not.toThrow();
    const loanHandler = createRequestHandler(new EvaluationPipeline(), loan, { input: () => ({}) });
    expect(() => createAccessCheck(loan, loanHandler, undefined)).not.toThrow();
  });

  it("finds the boolean in unions and behind references", () => {
    const union = emitting(
      {},
      z.union([z.object({ granted: z.boolean() }), z.object({ reason: z.string() })]),
    );
    const handler = createRequestHandler(new EvaluationPipeline(), union, { input: () => ({}) });
    expect(() => createAccessCheck(union, handler, undefined)).not.toThrow();
  });
});
