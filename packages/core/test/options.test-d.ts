import { describe, expectTypeOf, it } from "vitest";
import type { Clock, Logger } from "../src/index.js";
import {
  type Checked,
  checkedOptions,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  readOptions,
  requiredOption,
} from "../src/options.js";

const rows = {
  decision: requiredOption(kinds.object<{ readonly id: string }>()),
  mode: option(kinds.oneOf("replace", "merge", false), "merge"),
  columns: option(kinds.listOf(kinds.text)),
  onDone: option(kinds.callback<(count: number) => void>()),
  limits: option(kinds.group({ max: requiredOption(kinds.wholeNumber), min: option(kinds.wholeNumber, 1) })),
  logger: option(kinds.either("must be a logger or false", kinds.logger, kinds.oneOf(false))),
  clock: option(kinds.clock),
};

interface Options extends OptionsOf<typeof rows> {}

const optionalRows = { size: option(kinds.wholeNumber, 1), label: option(kinds.text) };

describe("OptionsOf", () => {
  it("requires what must be given, and types each option by its kind", () => {
    expectTypeOf<Options["decision"]>().toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf<Options["mode"]>().toEqualTypeOf<"replace" | "merge" | false | undefined>();
    expectTypeOf<Options["columns"]>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Options["onDone"]>().toEqualTypeOf<((count: number) => void) | undefined>();
    expectTypeOf<NonNullable<Options["limits"]>["max"]>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<Options["limits"]>["min"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Options["logger"]>().toEqualTypeOf<Logger | false | undefined>();
    expectTypeOf<Options["clock"]>().toEqualTypeOf<Clock | undefined>();
    expectTypeOf<keyof Options>().toEqualTypeOf<keyof typeof rows>();
    // @ts-expect-error -- decision is required
    const missing: Options = {};
    // @ts-expect-error -- columns, not colums
    const misspelt: Options = { decision: { id: "x" }, colums: [] };
    const wrong: Options = {
      decision: { id: "x" },
      // @ts-expect-error -- "merge"
      mode: "merged",
    };
    const inferred: Options = { decision: { id: "x" }, onDone: (count) => count.toFixed() };
    expectTypeOf([missing, misspelt, wrong, inferred]).toExtend<readonly Options[]>();
  });

  it("without required options, still rejects objects that have none of the options", () => {
    expectTypeOf<OptionsOf<typeof optionalRows>>().toEqualTypeOf<{
      readonly size?: number | undefined;
      readonly label?: string | undefined;
    }>();
    expectTypeOf<{ path: string }>().not.toExtend<OptionsOf<typeof optionalRows>>();
  });
});

describe("Checked", () => {
  it("has every option; only those without default can be undefined", () => {
    expectTypeOf<Checked<typeof optionalRows>>().toEqualTypeOf<{
      readonly size: number;
      readonly label: string | undefined;
    }>();
    expectTypeOf(checkedOptions("x", {}, rows).mode).toEqualTypeOf<"replace" | "merge" | false>();
    expectTypeOf(checkedOptions("x", {}, rows).decision).toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf(readOptions({}, optionalRows).options).toEqualTypeOf<
      Checked<typeof optionalRows> | undefined
    >();
  });
});

describe("a declaration", () => {
  it("has a default of its kind", () => {
    // @ts-expect-error -- a number
    option(kinds.wholeNumber, "7");
    // @ts-expect-error -- not one of them
    option(kinds.oneOf("a", "b"), "c");
  });

  it("names methods that its type has", () => {
    // @ts-expect-error -- error, not eror
    kinds.withMethods<Logger>("eror");
  });

  it("covers a hand-written interface", () => {
    interface Generic<T> {
      readonly of: T;
      readonly size?: number | undefined;
    }
    const given = { of: requiredOption(kinds.anything()), size: option(kinds.wholeNumber) };
    const complete = given satisfies RowsOf<Generic<unknown>>;
    // @ts-expect-error -- without `of`
    const incomplete = { size: option(kinds.wholeNumber) } satisfies RowsOf<Generic<unknown>>;
    // @ts-expect-error -- size is a number
    const wrong = { of: given.of, size: option(kinds.text) } satisfies RowsOf<Generic<unknown>>;
    expectTypeOf([complete, incomplete, wrong]).toExtend<readonly object[]>();
  });
});
