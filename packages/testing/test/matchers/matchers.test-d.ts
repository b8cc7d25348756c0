import { type Decision, defineDecision, evaluate, type Result } from "@decern/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { DecernMatchers } from "../../src/vitest.js";

interface Output {
  readonly rate: number;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
}

type Data<Received> = Parameters<DecernMatchers<Received>["toMatchRule"]>[1];

describe("the types of matchers", () => {
  it("know the output of an envelope: a part of it is enough", () => {
    expectTypeOf<{ readonly rate: number }>().toExtend<Data<Result<Output>>>();
    expectTypeOf<{ readonly reasons: readonly [{ readonly code: string }] }>().toExtend<
      Data<Result<Output>>
    >();
    expectTypeOf<{ readonly rate: string }>().not.toExtend<Data<Result<Output>>>();
    expectTypeOf<{ readonly rate: number }>().not.toExtend<Data<Result<readonly string[]>>>();
  });

  it("take any output where it is not known", () => {
    expectTypeOf<Data<unknown>>().toEqualTypeOf<unknown>();
    expectTypeOf<{ readonly rate: string }>().toExtend<Data<Result>>();
  });

  it("take no output for what is no envelope", () => {
    expectTypeOf<Data<number>>().toEqualTypeOf<undefined>();
  });

  it("are added to expect", () => {
    expectTypeOf(expect(1)).toHaveProperty("toMatchRule");
    expectTypeOf(expect.not).toHaveProperty("objectContaining");
    expectTypeOf(expect).toHaveProperty("toMatchRule");
    const decision = defineDecision({
      id: "rate",
      version: "1.0.0",
      inputSchema: z.object({}),
      outputSchema: z.object({ rate: z.number() }),
      profileSchema: z.object({}),
      rules: [],
    });
    expectTypeOf(expect(decision).toReachEveryRule).toBeCallableWith({ runs: 1 });
    expectTypeOf(expect(evaluate(decision, {})).toMatchRule).toBeCallableWith("any", { rate: 5 });
    // @ts-expect-error the output has no such property
    expect(evaluate(decision, {})).toMatchRule("any", { price: 5 });
    // @ts-expect-error a rate is a number
    expect(evaluate(decision, {})).toMatchRule("any", { rate: "5" });
    expectTypeOf(expect<Decision>(decision).toPassExamples).toBeCallableWith({ profiles: { rate: {} } });
    expectTypeOf(expect({ decisions: [decision] }).toMatchLock).toBeCallableWith("text");
  });
});
