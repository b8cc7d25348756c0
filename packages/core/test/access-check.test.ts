import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineDecision, type Result, type Schema } from "../src/index.js";
import { access, loan, recordingLogger } from "./fixtures.js";
import { createAccessCheck, createRequestHandler } from "./fixtures-http.js";

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

/** A schema that accepts everything, and describes itself as `schema`. */
function jsonSchema(schema: Readonly<Record<string, unknown>>): Schema {
  const describe = () => ({ ...schema });
  const validate = (value: unknown) => ({ value });
  return {
    "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: describe, output: describe } },
  };
}

async function check(decision: ReturnType<typeof emitting>, isDenied?: (result: Result) => boolean) {
  const handler = createRequestHandler({ logger: recordingLogger() }, decision, {
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

  it("allows only if isDenied returns exactly false", async () => {
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

  it("denies every status except OK", async () => {
    const handler = createRequestHandler({}, access, {
      input: (role: unknown) => ({ role }),
    });
    const verdict = createAccessCheck(access, handler, undefined);
    const answers = await Promise.all(["admin", "guest", "stranger", 1].map((role) => verdict(role, "r")));
    expect(answers.map((answer) => answer.allowed)).toEqual([true, false, false, false]);
  });

  it("denies on a fault, and passes on a masked error", async () => {
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
    const handler = createRequestHandler({ logger: recordingLogger() }, failing, {
      input: () => ({}),
    });
    const verdict = await createAccessCheck(failing, handler, () => false)({}, "r");
    expect(verdict).toMatchObject({
      allowed: false,
      thrown: { message: "Evaluation failed", cause: { message: "secret" } },
    });
  });

  it("refuses a decision whose output has no boolean, unless there is an isDenied", () => {
    const rate = emitting({ rate: 1 }, z.object({ rate: z.number() }));
    const handler = createRequestHandler({}, rate, { input: () => ({}) });
    expect(() => createAccessCheck(rate, handler, undefined)).toThrow("isDenied");
    expect(() => createAccessCheck(rate, handler, () => true)).not.toThrow();
    const loanHandler = createRequestHandler({}, loan, { input: () => ({}) });
    expect(() => createAccessCheck(loan, loanHandler, undefined)).not.toThrow();
  });

  const yes = { type: "object", properties: { granted: { type: "boolean" } } };
  const no = { type: "object", properties: { reason: { type: "string" } } };

  /** Tells whether a decision with such an output may guard without `isDenied`. */
  function mayGuard(outputSchema: Readonly<Record<string, unknown>>): boolean {
    const decision = emitting({}, jsonSchema(outputSchema));
    const handler = createRequestHandler({}, decision, { input: () => ({}) });
    try {
      createAccessCheck(decision, handler, undefined);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_OPTIONS", message: expect.stringContaining("isDenied") });
      return false;
    }
  }

  it.each([
    ["among the properties", yes],
    ["as a constant", { properties: { approved: { const: false } } }],
    ["in a branch of anyOf", { anyOf: [no, yes] }],
    ["in a branch of oneOf", { oneOf: [no, yes] }],
    ["in a branch of allOf", { allOf: [no, yes] }],
    ["behind a reference into $defs", { $ref: "#/$defs/Yes", $defs: { No: no, Yes: yes } }],
    ["behind a reference into definitions", { $ref: "#/definitions/Yes", definitions: { Yes: yes } }],
    [
      "behind a reference in a union in a union",
      { anyOf: [no, { oneOf: [no, { $ref: "#/$defs/Yes" }] }], $defs: { Yes: yes } },
    ],
  ])("finds the boolean %s", (_where, schema) => {
    expect(mayGuard(schema)).toBe(true);
  });

  it.each([
    ["of another type", { properties: { allowed: { type: "string" } } }],
    ["of a constant that is no boolean", { properties: { allowed: { const: "yes" } } }],
    ["of another name", { properties: { possible: { type: "boolean" } } }],
    ["of no described type", { properties: { allowed: true } }],
    ["deeper in the output", { properties: { access: yes } }],
    ["in a definition that nothing refers to", { ...no, $defs: { Yes: yes } }],
    ["behind a reference to nothing", { $ref: "#/$defs/toString", $defs: {} }],
    ["behind a reference without definitions", { $ref: "#/$defs/Yes" }],
    ["in a schema that only refers to itself", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }],
  ])("takes no boolean %s for an answer", (_which, schema) => {
    expect(mayGuard(schema)).toBe(false);
  });

  it("denies when isDenied returns a promise, also one that rejects, which ends no process", async () => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", listener);
    try {
      for (const make of [() => Promise.resolve(false), () => Promise.reject(new Error("no directory"))]) {
        const isDenied = (): never => make() as never;
        expect((await check(emitting({ allowed: true }), isDenied)).allowed).toBe(false);
      }
      // Rejections are told when the microtasks of a turn are through.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });
});
