import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createEvaluator, type Decision, defineDecision, evaluate } from "../src/index.js";
import { isDecision, program } from "../src/tools.js";

const parts = {
  id: "loan",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({ approved: z.boolean() }),
  profileSchema: z.object({}),
  rules: [{ id: "all", when: () => true, emit: () => ({ approved: true }) }],
};
const own = defineDecision(parts);

/** A decision as a copy of this package with a different protocol makes it. TypeScript would not know either. */
const stranger = {
  ...own,
  [program]: undefined,
  [Symbol.for("decern.program@999")]: own[program],
} as unknown as Decision;
Reflect.deleteProperty(stranger, program);

const why = /protocol 999, expected \d+\); install one version, and find others with "npm ls @decern\/core"/;

describe("a decision of another copy of this package", () => {
  it("is evaluated if the protocol is the same, as the modules have no state to share", async () => {
    vi.resetModules();
    const other = await import("../src/index.js");
    expect(other.defineDecision).not.toBe(defineDecision);
    const theirs = other.defineDecision(parts);
    expect(isDecision(theirs)).toBe(true);
    expect(evaluate(theirs, {})).toMatchObject({ status: "OK", data: { approved: true } });
    const uses = defineDecision({
      ...parts,
      id: "offer",
      uses: [theirs],
      rules: [
        {
          id: "ask",
          when: (input, _profile, context) => context.evaluate(theirs, input).status === "OK",
          emit: () => ({ approved: true }),
        },
      ],
    });
    expect(evaluate(uses, {})).toMatchObject({ status: "OK" });
  });

  it("is rejected with the reason, and without being called, if the protocol differs", () => {
    const problems = [{ path: "/decision", message: expect.stringMatching(why) }];
    expect(isDecision(stranger)).toBe(false);
    expect(() => evaluate(stranger, {})).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS", problems }),
    );
    expect(() => createEvaluator({}).evaluate(stranger, { input: {} })).toThrow(
      expect.objectContaining({ problems }),
    );
    expect(() => defineDecision({ ...parts, id: "offer", uses: [stranger] })).toThrow(
      expect.objectContaining({
        code: "INVALID_DECISION",
        problems: [{ path: "/uses/0", message: expect.stringMatching(why) }],
      }),
    );
  });

  it("is told from what is not a decision at all", () => {
    for (const value of [parts, null, undefined, "loan", { [Symbol("decern.program@9")]: {} }])
      expect(() => evaluate(value as unknown as Decision, {})).toThrow(
        /is not a decision; make it with defineDecision/,
      );
  });
});
