import {
  type Decision,
  defineDecision,
  evaluate,
  type InferInput,
  type InferOutput,
  type InputOf,
  type OutputOf,
  type ProfileOf,
  type ProfilesOf,
  type Schema,
  withProfile,
} from "@decern/core";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { Type } from "typebox";
import { describe, expectTypeOf, it } from "vitest";
import { toJsonSchema, typebox } from "../src/index.js";

const base = {
  id: "loan",
  version: "1",
  inputSchema: typebox(
    Type.Object({ score: Type.Integer(), kind: Type.Union([Type.Literal("new"), Type.Literal("old")]) }),
  ),
  outputSchema: typebox(Type.Object({ approved: Type.Boolean(), tier: Type.Enum(["prime", "standard"]) })),
  profileSchema: typebox(Type.Object({ minScore: Type.Integer(), note: Type.Optional(Type.String()) })),
} as const;

const loan = defineDecision({
  ...base,
  rules: [
    {
      id: "r",
      when: (input, profile) => input.score >= profile.minScore && input.kind === "new",
      emit: () => ({ approved: true, tier: "prime" }),
      explain: (input) => `Score ${input.score}`,
    },
  ],
});

describe("typebox", () => {
  it("is a schema of the port, with the static type as output, and the input without what has a declared default", () => {
    const schema = typebox(
      Type.Object({
        a: Type.String(),
        b: Type.Optional(Type.Array(Type.Integer())),
        c: Type.With(Type.Integer(), { default: 1 }),
      }),
    );
    type Input = { a: string; b?: number[]; c?: number };
    type Output = { a: string; b?: number[]; c: number };
    expectTypeOf(schema).toExtend<Schema<Input, Output>>();
    expectTypeOf(schema).toExtend<StandardSchemaV1<Input, Output>>();
    expectTypeOf(schema).toExtend<StandardJSONSchemaV1<Input, Output>>();
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<Input>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<Output>();
  });

  it("infers a decision's types from its schemas", () => {
    expectTypeOf(loan).toExtend<Decision<unknown, unknown, unknown, "loan">>();
    expectTypeOf<InputOf<typeof loan>>().toEqualTypeOf<{ score: number; kind: "new" | "old" }>();
    expectTypeOf<OutputOf<typeof loan>>().toEqualTypeOf<{ approved: boolean; tier: "prime" | "standard" }>();
    expectTypeOf<ProfileOf<typeof loan>>().toEqualTypeOf<{ minScore: number; note?: string }>();
    expectTypeOf<[typeof loan]>().toExtend<readonly Decision[]>();
  });

  it("supports recursive types", () => {
    const tree = typebox(
      Type.Cyclic(
        { Node: Type.Object({ name: Type.String(), next: Type.Optional(Type.Ref("Node")) }) },
        "Node",
      ),
    );
    type Tree = InferOutput<typeof tree>;
    expectTypeOf<NonNullable<NonNullable<Tree["next"]>["next"]>["name"]>().toEqualTypeOf<string>();
  });

  it("refuses options that do not exist", () => {
    // @ts-expect-error: no such option
    typebox(Type.String(), { coerce: true });
  });
});

describe("a mistake in a decision fails at the wrong property", () => {
  it("a misspelt field of the input", () => {
    defineDecision({
      ...base,
      rules: [
        {
          id: "r",
          // @ts-expect-error: scor
          when: (input) => input.scor > 1,
          emit: () => ({ approved: true, tier: "prime" }),
        },
      ],
    });
  });

  it("a misspelt field of the profile", () => {
    defineDecision({
      ...base,
      rules: [
        {
          id: "r",
          // @ts-expect-error: minscore
          when: (input, profile) => input.score > profile.minscore,
          emit: () => ({ approved: true, tier: "prime" }),
        },
      ],
    });
  });

  it("a value that the input cannot have", () => {
    defineDecision({
      ...base,
      rules: [
        {
          id: "r",
          // @ts-expect-error: neither new nor old
          when: (input) => input.kind === "used",
          emit: () => ({ approved: true, tier: "prime" }),
        },
      ],
    });
  });

  it("an output that lacks something, has another type, or another literal", () => {
    defineDecision({
      ...base,
      rules: [
        {
          id: "r",
          when: () => true,
          // @ts-expect-error: no tier
          emit: () => ({ approved: true }),
        },
        {
          id: "s",
          when: () => true,
          // @ts-expect-error: approved is not a string
          emit: () => ({ approved: "yes", tier: "prime" }),
        },
        {
          id: "t",
          when: () => true,
          // @ts-expect-error: no such tier
          emit: () => ({ approved: true, tier: "gold" }),
        },
      ],
    });
  });

  it("a profile of another shape", () => {
    withProfile(loan, { minScore: 620 } as const);
    // @ts-expect-error: minScore is required
    withProfile(loan, {});
    // @ts-expect-error: kind is required
    evaluate(loan, { score: 1 });
    evaluate(loan, { score: 1, kind: "new" }, { minScore: 1, note: "n" });
    // @ts-expect-error: minScore, not minscore
    withProfile(loan, { minscore: 620 });
    // @ts-expect-error: score, not scor
    evaluate(loan, { scor: 1, kind: "new" });
    // @ts-expect-error: neither new nor old
    evaluate(loan, { score: 1, kind: "used" });
    // @ts-expect-error: minScore is a number
    withProfile(loan, { minScore: "620" });
    const decisions = [loan] as const;
    // @ts-expect-error: minScore is a number
    const wrong: ProfilesOf<typeof decisions> = { loan: { minScore: "620" } };
    expectTypeOf(wrong).toEqualTypeOf<ProfilesOf<typeof decisions>>();
  });
});

describe("toJsonSchema", () => {
  it("accepts only a type or a schema", () => {
    toJsonSchema(Type.String());
    toJsonSchema(typebox(Type.String()), "output", "draft-2020-12");
    // @ts-expect-error: no such dialect
    toJsonSchema(Type.String(), "input", "draft-03");
  });
});
