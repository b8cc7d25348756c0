import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { readFlag, readOutput } from "../src/options.js";

describe("an output as a flag", () => {
  it.each([
    [true, { value: true }],
    [false, { value: false }],
    ["", { value: "" }],
    [0, { value: 0 }],
    [{ items: 3 }, { value: { items: 3 } }],
    [{}, { value: {} }],
    [
      { value: false, variant: "off" },
      { value: false, variant: "off" },
    ],
    [{ value: { nested: true }, more: 1 }, { value: { nested: true } }],
    [{ value: undefined, variant: "default" }, { variant: "default" }],
    // Not the output's own.
    [Object.create({ value: 1 }), { value: {} }],
  ])("%j", (output, flag) => {
    expect(readOutput(output)).toEqual(flag);
  });

  it.each([[null], [[1]], [Number.NaN], [{ value: null }], [{ value: [] }], [{ value: 1, variant: 2 }]])(
    "refuses %j",
    (output) => {
      expect(() => readOutput(output)).toThrow(DecernError);
    },
  );

  it.each([[undefined], [null], [true], [[]]])("refuses %j of toFlag", (given: unknown) => {
    expect(() => readFlag(given)).toThrow(DecernError);
  });
});
