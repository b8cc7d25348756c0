import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineDecision, type ProfilesOf, type Result, type RuleOf } from "../../src/index.js";

const outputSchema = z.object({ ok: z.boolean() });
const score = defineDecision({
  id: "score",
  version: "1.0.0",
  inputSchema: z.object({ income: z.number(), note: z.string().default("") }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({ weight: z.number() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ points: 1 }) }],
});
const other = defineDecision({
  id: "other",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema,
  profileSchema: z.object({ limit: z.number() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ ok: true }) }],
});
const schemas = { inputSchema: z.object({ income: z.number() }), outputSchema, profileSchema: z.object({}) };
const loan = defineDecision({
  id: "loan",
  version: "1.0.0",
  ...schemas,
  uses: [score],
  rules: [
    {
      id: "r",
      when: ({ income }, _profile, context) => context.evaluate(score, { income }).status === "OK",
      emit: () => ({ ok: true }),
    },
  ],
});

describe("context.evaluate", () => {
  it("knows the result of the decision, and the input that it takes", () => {
    defineDecision({
      id: "x",
      version: "1",
      ...schemas,
      uses: [score, other],
      rules: [
        {
          id: "r",
          when: (_input, _profile, context) => {
            expectTypeOf(context.evaluate(score, { income: 1 })).toEqualTypeOf<
              Result<{ points: number }, "r">
            >();
            expectTypeOf(context.evaluate(other, {})).toEqualTypeOf<Result<{ ok: boolean }, "r">>();
            expectTypeOf(context.caller).toEqualTypeOf<string | undefined>();
            const body: unknown = {};
            context.evaluate(score, body);
            // @ts-expect-error -- income is a number
            context.evaluate(score, { income: "1" });
            // @ts-expect-error -- income, not incme
            context.evaluate(score, { incme: 1 });
            return true;
          },
          emit: () => ({ ok: true }),
        },
      ],
    });
  });

  it("refuses a decision that uses does not list", () => {
    defineDecision({
      id: "x",
      version: "1",
      ...schemas,
      uses: [score],
      rules: [
        {
          id: "r",
          // @ts-expect-error -- other is not in uses
          when: (_input, _profile, context) => context.evaluate(other, {}).status === "OK",
          emit: () => ({ ok: true }),
        },
      ],
    });
    defineDecision({
      id: "x",
      version: "1",
      ...schemas,
      rules: [
        {
          id: "r",
          // @ts-expect-error -- there are no uses
          when: (_input, _profile, context) => context.evaluate(score, { income: 1 }).status === "OK",
          emit: () => ({ ok: true }),
        },
      ],
    });
  });

  it("is typed in rules that are written outside their decision", () => {
    const parts = { ...schemas, uses: [score] } as const;
    const rule: RuleOf<typeof parts> = {
      id: "r",
      when: ({ income }, _profile, context) => {
        expectTypeOf(context.evaluate(score, { income })).toEqualTypeOf<Result<{ points: number }, "r">>();
        return true;
      },
      emit: () => ({ ok: true }),
    };
    defineDecision({ id: "x", version: "1", ...parts, rules: [rule] });
    const wrong: RuleOf<typeof parts> = {
      id: "r",
      // @ts-expect-error -- other is not in uses
      when: (_input, _profile, context) => context.evaluate(other, {}).status === "OK",
      emit: () => ({ ok: true }),
    };
    expectTypeOf(wrong.id).toEqualTypeOf<string>();
  });
});

describe("ProfilesOf", () => {
  it("has keys for versions, for names, and for the decisions that are used", () => {
    const profiles: ProfilesOf<[typeof loan, typeof other]> = {
      loan: {},
      score: { weight: 1 },
      "score@1.0.0": { weight: 1 },
      "score#strict": { weight: 1 },
      "other@1.0.0#strict": { limit: 1 },
    };
    expectTypeOf(profiles).toExtend<Record<string, unknown>>();
  });

  it("refuses a typing error in a key or in a profile", () => {
    const key: ProfilesOf<[typeof loan]> = {
      // @ts-expect-error -- score, not scroe
      scroe: { weight: 1 },
    };
    const versioned: ProfilesOf<[typeof loan]> = {
      // @ts-expect-error -- score, not scroe
      "scroe@1.0.0": { weight: 1 },
    };
    const unrelated: ProfilesOf<[typeof loan]> = {
      // @ts-expect-error -- nothing uses other
      "other#strict": { limit: 1 },
    };
    const profile: ProfilesOf<[typeof loan]> = {
      // @ts-expect-error -- weight is a number
      "score@1.0.0": { weight: "1" },
    };
    const named: ProfilesOf<[typeof loan]> = {
      // @ts-expect-error -- weight, not wieght
      "score#strict": { wieght: 1 },
    };
    expectTypeOf([key, versioned, unrelated, profile, named]).toExtend<readonly object[]>();
  });
});
