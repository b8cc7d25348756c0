import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type Awaitable,
  createEvaluator,
  type DecernError,
  type Decision,
  defineDecision,
  evaluate,
  evaluateMany,
  type InputOf,
  type OutputOf,
  type ProfileOf,
  type ProfilesOf,
  type Result,
  type RuleOf,
  type Schema,
  withProfile,
} from "../src/index.js";
import { createGeneration } from "../src/tools.js";

const base = {
  version: "1",
  outputSchema: z.object({ ok: z.boolean() }),
  profileSchema: z.object({ min: z.number().default(1) }),
};
const zod = defineDecision({
  ...base,
  id: "zod",
  inputSchema: z.object({ score: z.number() }),
  rules: [{ id: "r", when: (input, profile) => input.score > profile.min, emit: () => ({ ok: true }) }],
});
const ark = defineDecision({
  ...base,
  id: "ark",
  inputSchema: type({ score: "number" }),
  rules: [{ id: "r", when: (input) => input.score > 1, emit: () => ({ ok: true }) }],
});

describe("the schema port", () => {
  it("matches @standard-schema/spec", () => {
    expectTypeOf<StandardSchemaV1<string, number> & StandardJSONSchemaV1<string, number>>().toExtend<
      Schema<string, number>
    >();
    expectTypeOf<Schema<string, number>>().toExtend<StandardJSONSchemaV1<string, number>>();
    expectTypeOf<Schema<string, number>>().toExtend<StandardSchemaV1<string, number>>();
  });
});

describe("Decision", () => {
  it("infers its types from the schemas of any vendor", () => {
    expectTypeOf(zod).toExtend<
      Decision<{ score: number }, { ok: boolean }, { min?: number | undefined }, "zod">
    >();
    expectTypeOf<InputOf<typeof zod>>().toEqualTypeOf<{ score: number }>();
    expectTypeOf<OutputOf<typeof zod>>().toEqualTypeOf<{ ok: boolean }>();
    expectTypeOf<ProfileOf<typeof zod>>().toEqualTypeOf<{ min?: number | undefined }>();
    expectTypeOf(zod.id).toEqualTypeOf<"zod">();
    expectTypeOf(zod.version).toEqualTypeOf<string>();
    expectTypeOf(evaluate(ark, { score: 1 })).toEqualTypeOf<Result<{ ok: boolean }, "r">>();
  });

  it("keeps the literal types that rules emit, with and without parameters", () => {
    const tiered = {
      ...base,
      id: "tiered",
      inputSchema: z.object({ score: z.number() }),
      outputSchema: z.object({ tier: z.enum(["prime", "standard"]), level: z.literal([0, 1]) }),
    };
    defineDecision({
      ...tiered,
      rules: [{ id: "r", when: (input) => input.score > 1, emit: () => ({ tier: "prime", level: 1 }) }],
    });
    defineDecision({
      ...tiered,
      rules: [
        { id: "r", when: () => true, emit: (input) => ({ tier: "prime", level: input.score > 2 ? 1 : 0 }) },
      ],
    });
    defineDecision({
      ...tiered,
      // @ts-expect-error -- "gold" is not a tier
      rules: [{ id: "r", when: () => true, emit: () => ({ tier: "gold", level: 1 }) }],
    });
  });

  it("fits in a list with others without a cast", () => {
    expectTypeOf([zod, ark]).toExtend<readonly Decision[]>();
    createGeneration([zod, ark]);
  });
});

describe("a mistake", () => {
  it("fails at the misspelt field of when", () => {
    defineDecision({
      ...base,
      id: "x",
      inputSchema: z.object({ score: z.number() }),
      // @ts-expect-error -- scoer
      rules: [{ id: "r", when: (input) => input.scoer > 1, emit: () => ({ ok: true }) }],
    });
  });

  it("fails at the wrong property of emit", () => {
    defineDecision({
      ...base,
      id: "x",
      inputSchema: z.object({}),
      // @ts-expect-error -- ok is a boolean
      rules: [{ id: "r", when: () => true, emit: () => ({ ok: "yes" }) }],
    });
  });

  it("fails at the wrong profile", () => {
    // @ts-expect-error -- min is a number
    withProfile(zod, { min: "high" });
    const good: ProfilesOf<[typeof zod, typeof ark]> = { zod: { min: 1 }, ark: {} };
    expectTypeOf(good).toExtend<Record<string, unknown>>();
    const wrong: ProfilesOf<[typeof zod, typeof ark]> = {
      zod: {
        // @ts-expect-error -- min is a number
        min: "high",
      },
    };
    const unknown: ProfilesOf<[typeof zod, typeof ark]> = {
      // @ts-expect-error -- no such decision
      other: {},
    };
    expectTypeOf([wrong, unknown]).toExtend<object>();
  });

  it("fails for a schema that does not implement the port", () => {
    const schema: Schema = {
      // @ts-expect-error -- no JSON Schema
      "~standard": { version: 1, vendor: "x", validate: (value: unknown) => ({ value }) },
    };
    expectTypeOf(schema).toExtend<Schema>();
  });
});

describe("RuleOf", () => {
  it("types rules that are written outside their decision, including generated ones", () => {
    const schemas = {
      inputSchema: z.object({ score: z.number() }),
      outputSchema: z.object({ tier: z.enum(["prime", "standard"]) }),
      profileSchema: z.object({ min: z.number().default(1) }),
    };
    const rules: readonly RuleOf<typeof schemas>[] = ["a", "b"].map((id) => ({
      id,
      when: (input, profile) => {
        expectTypeOf(input).toEqualTypeOf<{ score: number }>();
        expectTypeOf(profile).toEqualTypeOf<{ min: number }>();
        return input.score > profile.min;
      },
      emit: () => ({ tier: "prime" }),
    }));
    defineDecision({ id: "apart", version: "1", ...schemas, rules });
    // @ts-expect-error a rule of another output
    const wrong: RuleOf<typeof schemas> = { id: "a", when: () => true, emit: () => ({ tier: "gold" }) };
    expectTypeOf(wrong.id).toEqualTypeOf<string>();
  });
});

describe("ids of rules, and versions", () => {
  const schemas = {
    inputSchema: z.object({ score: z.number() }),
    outputSchema: z.object({ ok: z.boolean() }),
    profileSchema: z.object({}),
  };
  const two = defineDecision({
    id: "two",
    version: "1.2.0",
    ...schemas,
    rules: [
      { id: "high", when: (input) => input.score > 1, emit: () => ({ ok: true }) },
      { id: "low", when: () => true, emit: () => ({ ok: false }), explain: (input) => `${input.score}` },
    ],
  });

  it("are known where they are written in place", () => {
    const result = evaluate(withProfile(two, {}), { score: 1 });
    if (result.status === "OK") {
      expectTypeOf(result.meta.matchedRule).toEqualTypeOf<"high" | "low">();
      // @ts-expect-error -- high, not hihg
      if (result.meta.matchedRule === "hihg") throw new Error();
    }
    expectTypeOf(two.version).toEqualTypeOf<"1.2.0">();
    expectTypeOf(two.ruleIds).toEqualTypeOf<readonly ("high" | "low")[]>();
    expectTypeOf(createEvaluator().evaluate(two, { input: { score: 1 } })).toEqualTypeOf<
      Awaitable<Result<{ ok: boolean }, "high" | "low">>
    >();
  });

  it("are text where they are not, and a decision is still one of any", () => {
    const rules: readonly RuleOf<typeof schemas>[] = [];
    const made = defineDecision({ id: "made", version: String(1), ...schemas, rules });
    expectTypeOf(made.version).toEqualTypeOf<string>();
    expectTypeOf(evaluate(made, { score: 1 })).toEqualTypeOf<Result<{ ok: boolean }>>();
    expectTypeOf([two, made]).toExtend<readonly Decision[]>();
    expectTypeOf(two).toExtend<Decision<{ score: number }, { ok: boolean }>>();
  });
});

describe("inputs and profiles that code writes", () => {
  it("may be readonly, omit properties with a default, and be undefined only where they may be omitted", () => {
    const listed = defineDecision({
      id: "listed",
      version: "1",
      inputSchema: z.object({ role: z.string() }),
      outputSchema: z.object({ ok: z.boolean() }),
      profileSchema: z.object({
        roles: z.array(z.string()),
        limits: z.object({ max: z.number().default(1) }),
      }),
      rules: [{ id: "r", when: () => true, emit: () => ({ ok: true }) }],
    });
    const profile = { roles: ["admin"], limits: {} } as const;
    const profiles: ProfilesOf<[typeof listed]> = { listed: profile };
    expectTypeOf(
      evaluate(withProfile(listed, profiles.listed ?? profile), { role: "x" }, profile),
    ).toEqualTypeOf<Result<{ ok: boolean }, "r">>();
    const header: string | undefined = JSON.parse('"x"');
    // @ts-expect-error -- role is required
    evaluate(listed, { role: header });
    // @ts-expect-error -- role, not rol
    evaluate(listed, { rol: "x" });
    // @ts-expect-error -- a profile has no role
    evaluate(listed, { role: "x" }, { roles: [], limits: {}, role: 1 });
    // @ts-expect-error -- roles is required
    withProfile(listed, { limits: {} });
    const arkListed = defineDecision({
      id: "ark-listed",
      version: "1",
      inputSchema: type({ role: "string" }),
      outputSchema: type({ ok: "boolean" }),
      profileSchema: type({ roles: "string[]", max: "number = 1" }),
      rules: [{ id: "r", when: () => true, emit: () => ({ ok: true }) }],
    });
    withProfile(arkListed, { roles: ["admin"] } as const);
    // @ts-expect-error -- roles, not role
    withProfile(arkListed, { role: ["admin"] });
    // @ts-expect-error -- max is a number
    withProfile(arkListed, { roles: [], max: "1" });
  });

  it("are checked by evaluate and by an evaluator, unless their type is unknown", () => {
    const evaluator = createEvaluator();
    const body: unknown = { score: "x" };
    evaluate(zod, body, body);
    evaluate(zod, JSON.parse("{}"), JSON.parse("{}"));
    evaluate(zod as Decision, { anything: 1 });
    void evaluator.evaluate(zod, { input: body, profile: body });
    void evaluator.evaluate(zod, { input: { score: 1 }, profile: { min: 1 } });
    expectTypeOf(evaluateMany(zod, [{ score: 1 }], { profile: { min: 1 } })).toEqualTypeOf<
      readonly (Result<{ ok: boolean }, "r"> | DecernError)[]
    >();
    evaluateMany(zod, new Set([body]), { profile: body });
    // @ts-expect-error -- score, not scor
    evaluateMany(zod, [{ scor: 1 }]);
    // @ts-expect-error -- min is a number
    evaluateMany(zod, [{ score: 1 }], { profile: { min: "1" } });
    // @ts-expect-error -- score, not scor
    evaluate(zod, { scor: 1 });
    // @ts-expect-error -- score is a number
    evaluate(zod, { score: "1" });
    // @ts-expect-error -- min, not minimum
    evaluate(zod, { score: 1 }, { minimum: 1 });
    // @ts-expect-error -- score is a number
    void evaluator.evaluate(zod, { input: { score: "1" } });
    // @ts-expect-error -- min is a number
    void evaluator.evaluate(zod, { input: { score: 1 }, profile: { min: "1" } });
  });

  it("have names", () => {
    expectTypeOf<InputOf<typeof zod>>().toEqualTypeOf<{ score: number }>();
    expectTypeOf<OutputOf<typeof zod>>().toEqualTypeOf<{ ok: boolean }>();
  });
});
