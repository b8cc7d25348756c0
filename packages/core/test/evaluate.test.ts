import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createEvaluator,
  DecernError,
  defineDecision,
  evaluate,
  type Schema,
  withProfile,
} from "../src/index.js";
import { loan } from "./fixtures.js";

const now = new Date("2026-03-01T12:00:00.000Z");

function faultOf(work: () => unknown): DecernError {
  try {
    work();
  } catch (error) {
    if (error instanceof DecernError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("evaluate", () => {
  it("returns OK with the matching rule, its explanation, and every examined rule in order", () => {
    expect(evaluate(loan, { score: 700 }, { minScore: 620 }, { now })).toEqual({
      status: "OK",
      data: { approved: true, rate: 4.9 },
      meta: {
        decisionId: "loan",
        decisionVersion: "1.2.0",
        matchedRule: "standard",
        explanation: "Meets every criterion",
        evaluatedAt: "2026-03-01T12:00:00.000Z",
        evaluatedRules: [
          { ruleId: "unlucky", matched: false },
          { ruleId: "too-low", matched: false },
          { ruleId: "standard", matched: true, explanation: "Meets every criterion" },
        ],
      },
    });
  });

  it("stops at the first match, and leaves later rules out of the trace", () => {
    const result = evaluate(loan, { score: 500 }, { minScore: 620 }, { now });
    expect(result.meta).toMatchObject({ matchedRule: "too-low", explanation: "Score 500 is below 620" });
    expect(result.status === "OK" && result.meta.evaluatedRules.map((rule) => rule.ruleId)).toEqual([
      "unlucky",
      "too-low",
    ]);
  });

  it("returns NO_MATCH with the trace and no data", () => {
    const result = evaluate(loan, { score: 1000 }, {}, { now });
    expect(result).toEqual({
      status: "NO_MATCH",
      message: "No rule matched",
      meta: {
        decisionId: "loan",
        decisionVersion: "1.2.0",
        explanation: "No rule matched",
        evaluatedAt: "2026-03-01T12:00:00.000Z",
        evaluatedRules: [
          { ruleId: "unlucky", matched: false },
          { ruleId: "too-low", matched: false },
          { ruleId: "standard", matched: false },
        ],
      },
    });
  });

  it("returns INVALID_INPUT with pointers and two fields of meta", () => {
    const result = evaluate(loan, { score: "seven hundred" } as unknown, {}, { now });
    expect(result).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "/score", keyword: "invalid_type" }],
    });
    expect(result.meta).toEqual({ decisionId: "loan", evaluatedAt: "2026-03-01T12:00:00.000Z" });
    expect(result.status === "INVALID_INPUT" && result.message).toContain("/score");
    expect(JSON.stringify(result)).not.toContain("seven hundred");
  });

  it("returns INVALID_PROFILE, but checks the input first", () => {
    expect(evaluate(loan, { score: 700 }, { minScore: "high" } as unknown).status).toBe("INVALID_PROFILE");
    expect(evaluate(loan, {} as unknown, { minScore: "high" } as unknown).status).toBe("INVALID_INPUT");
    expect(evaluate(loan, { score: 700 }, null as unknown).status).toBe("INVALID_PROFILE");
  });

  it("uses {} with the schema's defaults if there is no profile", () => {
    expect(evaluate(loan, { score: 599 }).meta).toMatchObject({ matchedRule: "too-low" });
    expect(evaluate(loan, { score: 600 }).meta).toMatchObject({ matchedRule: "standard" });
  });

  it.each([
    ["a~b", "/a~0b"],
    ["a/b", "/a~1b"],
    ["~1/", "/~01~1"],
    ["", "/"],
  ])("points to the property %j as %s", (name, path) => {
    const named = defineDecision({
      id: "named",
      version: "1",
      inputSchema: z.object({ [name]: z.number() }),
      outputSchema: z.object({}),
      profileSchema: z.object({}),
      rules: [{ id: "all", when: () => true, emit: () => ({}) }],
    });
    expect(evaluate(named, { [name]: "x" } as unknown)).toMatchObject({ errors: [{ path }] });
  });

  it("lists at most 20 errors", () => {
    const many = defineDecision({
      id: "many",
      version: "1",
      inputSchema: z.array(z.number()),
      outputSchema: z.object({}),
      profileSchema: z.object({}),
      rules: [{ id: "all", when: () => true, emit: () => ({}) }],
    });
    const result = evaluate(many, Array.from({ length: 50 }, () => "x") as unknown);
    expect(result.status === "INVALID_INPUT" && result.errors.map((error) => error.path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `/${index}`),
    );
  });

  it("mutates neither input nor profile", () => {
    const input = Object.freeze({ score: 700 });
    const profile = Object.freeze({});
    expect(evaluate(loan, input, profile).status).toBe("OK");
    expect(input).toEqual({ score: 700 });
    expect(profile).toEqual({});
  });

  it("asks a schema for issues, where that saves it a wrapper, unless its validation was replaced", () => {
    const checked: unknown[] = [];
    const validate = (value: unknown) => ({ value: { score: Number(value) } });
    const issuesOf = (value: unknown) => {
      checked.push(value);
      return value === "wrong" ? [{ message: "is wrong", pointer: "" }] : undefined;
    };
    const jsonSchema = { input: () => ({}), output: () => ({}) };
    const shared = { version: 1 as const, vendor: "quick", jsonSchema };
    const quick: Schema<unknown, unknown> = {
      "~standard": { ...shared, validate: Object.assign(() => ({ value: "unused" }), { issuesOf }) },
    };
    const replaced: Schema<unknown, unknown> = { "~standard": { ...quick["~standard"], validate } };
    const seen: unknown[] = [];
    const decisionWith = (inputSchema: Schema<unknown, unknown>) =>
      defineDecision({
        id: "quick",
        version: "1",
        inputSchema,
        outputSchema: quick,
        profileSchema: z.object({}),
        rules: [{ id: "all", when: (input) => seen.push(input) > 0, emit: (input) => ({ input }) }],
      });
    const input: unknown = { score: 1 };
    expect(evaluate(decisionWith(quick), input)).toMatchObject({ status: "OK", data: { input } });
    expect(checked).toEqual([input, { input }]);
    expect(evaluate(decisionWith(quick), "wrong" as unknown)).toMatchObject({
      status: "INVALID_INPUT",
      message: "Invalid input: input is wrong",
    });
    expect(evaluate(decisionWith(replaced), "700" as unknown)).toMatchObject({ status: "OK" });
    expect(seen).toEqual([input, { score: 700 }]);
    expect(checked).not.toContain("700");
  });

  it("returns a separate result for each call: changing one does not change another", () => {
    const first = evaluate(loan, { score: 500 });
    if (first.status !== "OK") throw new Error(first.status);
    expect(Reflect.set(first.meta.evaluatedRules[0] ?? {}, "matched", true)).toBe(false);
    Reflect.set(first.meta.evaluatedRules, "length", 0);
    expect(evaluate(loan, { score: 500 }, {}, { now }).meta).toMatchObject({
      evaluatedRules: [{ matched: false }, {}],
    });
  });

  it("gives a rule the envelope's time and the request id, and nothing that it could change", () => {
    const dates: Date[] = [];
    const timed = defineDecision({
      id: "timed",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.object({ at: z.string(), id: z.string() }),
      profileSchema: z.object({}),
      rules: [
        {
          id: "only",
          when: (_input, _profile, { now }) => {
            dates.push(now);
            now.setFullYear(1999);
            return true;
          },
          emit: (_input, _profile, { now, requestId }) => ({ at: now.toISOString(), id: requestId }),
        },
      ],
    });
    const result = evaluate(timed, {}, {}, { now, requestId: "req-1" });
    expect(result).toMatchObject({ data: { at: "2026-03-01T12:00:00.000Z", id: "req-1" } });
    expect(result.meta.evaluatedAt).toBe("2026-03-01T12:00:00.000Z");
    expect(dates[0]?.getFullYear()).toBe(1999);
  });
});

describe("the arguments of evaluate", () => {
  /** As untyped JavaScript may call it. */
  const call = (...given: readonly unknown[]): unknown => Reflect.apply(evaluate, undefined, given);

  it.each([
    ["an invalid date", { now: new Date(Number.NaN) }, ["/now"]],
    ["a string as date", { now: "2026-03-01" }, ["/now"]],
    ["a number as date", { now: 0 }, ["/now"]],
    ["an object that resembles a date", { now: { getTime: (): number => 0 } }, ["/now"]],
    ["a request id that is not a string", { requestId: 7 }, ["/requestId"]],
    ["both", { requestId: {}, now: null }, ["/now", "/requestId"]],
    ["an unknown option", { date: now }, ["/date"]],
    ["a string as options", "now", [""]],
    ["null as options", null, [""]],
  ])("are refused with their path: %s", (_what, options, paths) => {
    const fault = faultOf(() => call(loan, { score: 700 }, undefined, options));
    expect(fault.code).toBe("INVALID_OPTIONS");
    expect(fault.problems.map(({ path }) => path)).toEqual(paths);
  });

  it.each([[undefined], [null], ["loan"], [{}], [{ id: "loan", rules: [] }]])(
    "are refused when the decision is %j",
    (decision) => {
      const fault = faultOf(() => call(decision, { score: 700 }));
      expect({ code: fault.code, paths: fault.problems.map(({ path }) => path) }).toEqual({
        code: "INVALID_OPTIONS",
        paths: ["/decision"],
      });
      const evaluator = createEvaluator();
      const given = [decision, { input: { score: 700 } }];
      expect(faultOf(() => Reflect.apply(evaluator.evaluate, evaluator, given)).code).toBe("INVALID_OPTIONS");
    },
  );

  it("are refused by an evaluator when there is no call", () => {
    const { evaluate } = createEvaluator();
    for (const given of [undefined, null, "input"]) {
      expect(faultOf(() => Reflect.apply(evaluate, undefined, [loan, given])).code).toBe("INVALID_OPTIONS");
    }
  });
});

describe("a fault of the decision", () => {
  it("is thrown with the rule's id and the cause when a rule throws", () => {
    const fault = faultOf(() => evaluate(loan, { score: 13 }));
    expect(fault).toMatchObject({
      code: "EVALUATION_FAILED",
      statusCode: 500,
      cause: { message: "secret of the rule" },
    });
    expect(fault.message).toContain('"when" of rule "unlucky" threw');
  });

  it("is thrown with the failing places when the output does not match its schema", () => {
    const fault = faultOf(() => evaluate(loan, { score: 14 }));
    expect(fault.code).toBe("EVALUATION_FAILED");
    expect(fault.problems.map((problem) => problem.path)).toEqual(["/approved", "/rate"]);
  });

  const shape = {
    id: "odd",
    version: "1",
    inputSchema: z.object({}),
    outputSchema: z.unknown(),
    profileSchema: z.object({}),
  };
  const reject = () => Promise.reject(new Error("later")) as never;
  it.each([
    ["a promise from when", { id: "a", when: reject, emit: () => 1 }],
    ["a number from when", { id: "a", when: () => 1 as never, emit: () => 1 }],
    ["a promise from emit", { id: "a", when: () => true, emit: reject }],
    ["a promise from explain", { id: "a", when: () => true, emit: () => 1, explain: reject }],
    ["nothing from explain", { id: "a", when: () => true, emit: () => 1, explain: () => null as never }],
  ])("includes %s, and leaves no unhandled rejection", async (_name, rule) => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", listener);
    try {
      expect(faultOf(() => evaluate(defineDecision({ ...shape, rules: [rule] }), {})).code).toBe(
        "EVALUATION_FAILED",
      );
      await new Promise((resolve) => setImmediate(resolve));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  it("includes a schema that returns a promise", () => {
    const asynchronous = defineDecision({
      ...shape,
      inputSchema: z.object({ id: z.string().refine(async () => true) }),
      rules: [{ id: "a", when: () => true, emit: () => 1 }],
    });
    expect(faultOf(() => evaluate(asynchronous, { id: "x" })).message).toContain("validate synchronously");
  });

  it("includes a schema that throws, except for a value nested too deeply, which is the caller's", () => {
    const schema = (validate: Schema["~standard"]["validate"]): Schema => ({
      "~standard": {
        version: 1,
        vendor: "test",
        validate,
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    });
    const withInput = (inputSchema: Schema) =>
      defineDecision({ ...shape, inputSchema, rules: [{ id: "a", when: () => true, emit: () => 1 }] });
    const throwing = withInput(
      schema(() => {
        throw new TypeError("broken");
      }),
    );
    expect(faultOf(() => evaluate(throwing, {}))).toMatchObject({
      code: "EVALUATION_FAILED",
      cause: { message: "broken" },
    });
    const endless = (value: unknown): never => endless([value]);
    expect(evaluate(withInput(schema(endless)), {})).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ keyword: "depth" }],
    });
  });
});

describe("withProfile", () => {
  it("freezes no function that a schema puts into the profile: it belongs to its author", () => {
    const format = Object.assign((rate: number) => `${rate} %`, { calls: 0 });
    const formatting = defineDecision({
      id: "formatting",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.object({ text: z.string() }),
      profileSchema: z.object({}).transform(() => ({ format })),
      rules: [
        {
          id: "only",
          when: () => true,
          emit: (_input, profile) => {
            profile.format.calls += 1;
            return { text: profile.format(5) };
          },
        },
      ],
    });
    expect(evaluate(withProfile(formatting, {} as never), {})).toMatchObject({ data: { text: "5 %" } });
    expect({ calls: format.calls, isFrozen: Object.isFrozen(format) }).toEqual({ calls: 1, isFrozen: false });
  });

  it("gives a decision a default profile, which a caller's profile still replaces", () => {
    const strict = withProfile(loan, { minScore: 800 });
    expect(evaluate(strict, { score: 700 }).meta).toMatchObject({ matchedRule: "too-low" });
    expect(evaluate(strict, { score: 700 }, {}).meta).toMatchObject({ matchedRule: "standard" });
    expect(evaluate(loan, { score: 700 }).meta).toMatchObject({ matchedRule: "standard" });
  });

  it("copies: changing the object afterwards has no effect", () => {
    const profile = { minScore: 800 };
    const strict = withProfile(loan, profile);
    profile.minScore = 0;
    expect(evaluate(strict, { score: 700 }).meta).toMatchObject({ matchedRule: "too-low" });
  });

  it("refuses a profile that does not match its schema or is not plain data", () => {
    const broken = { minScore: "high" } as never;
    expect(faultOf(() => withProfile(loan, broken)).problems).toMatchObject([{ path: "/minScore" }]);
    const func: object = { minScore: () => 1 };
    expect(faultOf(() => withProfile<unknown, unknown, unknown, string>(loan, func)).code).toBe(
      "INVALID_OPTIONS",
    );
  });
});

describe("a name that a caller made up, in the path of an issue", () => {
  const anyNames = defineDecision({
    id: "any-names",
    version: "1",
    inputSchema: z.record(z.string(), z.record(z.string(), z.number())),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "any", when: () => true, emit: () => ({}) }],
  });
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, "no number"]));

  it("is shown", () => {
    const result = evaluate(anyNames, { "made-up": wrong } as unknown);
    expect(result).toMatchObject({ status: "INVALID_INPUT", errors: { length: 20 } });
    expect(result).toHaveProperty("errors.0.path", "/made-up/n0");
  });

  it("is not repeated with each of them where it is long", () => {
    const result = evaluate(anyNames, { ["x".repeat(100_000)]: wrong } as unknown);
    expect(result).toMatchObject({ status: "INVALID_INPUT", errors: { length: 20 } });
    if (result.status !== "INVALID_INPUT") return;
    expect(new Set(result.errors.map(({ path }) => path))).toEqual(new Set([""]));
    expect(result.message).toContain("input has a part that is not valid");
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
  });
});
