import type { InputOf } from "@decern/core";
import { describe, expectTypeOf, it } from "vitest";
import { type DecisionLog, type DecisionLogOptions, decisionLog } from "../src/index.js";
import type { echo, greeting, welcome } from "./support/decisions.js";

type Decisions = readonly [typeof welcome, typeof echo];
type Options = DecisionLogOptions<Decisions>;
type Of = NonNullable<Options["subject"]>["of"];

describe("the types of a log", () => {
  it("are core's port", () => {
    expectTypeOf(decisionLog).returns.toEqualTypeOf<DecisionLog>();
  });

  it("know the decisions", () => {
    expectTypeOf<keyof NonNullable<Options["sample"]>>().toEqualTypeOf<"welcome" | "echo">();
    expectTypeOf<Parameters<NonNullable<Of["welcome"]>>>().toEqualTypeOf<[InputOf<typeof welcome>]>();
    expectTypeOf<Parameters<NonNullable<Of["echo"]>>>().toEqualTypeOf<[unknown]>();
  });

  it("mask decisions that are used by others, too", () => {
    expectTypeOf<keyof NonNullable<Options["mask"]>>().toEqualTypeOf<
      "welcome" | "echo" | (typeof greeting)["id"]
    >();
  });

  it("take any id without decisions", () => {
    expectTypeOf<{ readonly any: readonly string[] }>().toExtend<NonNullable<DecisionLogOptions["mask"]>>();
    expectTypeOf<{ readonly any: (input: unknown) => string }>().toExtend<
      NonNullable<DecisionLogOptions["subject"]>["of"]
    >();
    expectTypeOf<{ readonly OK: number }>().toExtend<
      NonNullable<NonNullable<DecisionLogOptions["sample"]>[string]>
    >();
  });

  it("sample nothing but successes", () => {
    expectTypeOf<{ readonly ERROR: number }>().not.toExtend<
      NonNullable<NonNullable<DecisionLogOptions["sample"]>[string]>
    >();
  });
});
