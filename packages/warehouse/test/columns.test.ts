import { type Decision, defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ColumnPlan } from "../src/columns/column-plan.js";

const decision = defineDecision({
  id: "types",
  version: "1.0.0",
  inputSchema: z.object({
    text: z.string().optional(),
    maybe: z.string().nullable().optional(),
    number: z.number().optional(),
    integer: z.int().optional(),
    flag: z.boolean().optional(),
    list: z.array(z.number()).optional(),
    object: z.object({ deep: z.number() }).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    choice: z.enum(["a", "1"]).optional(),
    anything: z.unknown().optional(),
    required: z.object({ inner: z.number().optional() }),
    optional: z.object({ inner: z.number().optional() }).optional(),
    open: z.record(z.string(), z.number()).optional(),
  }),
  outputSchema: z.unknown(),
  profileSchema: z.object({}),
  rules: [{ id: "never", when: () => false, emit: () => 0 }],
});

const read = (column: string, value: unknown, roundsIntegers = true) =>
  new ColumnPlan(decision, [column], roundsIntegers).toInput([value], 0, false);

describe("a value as an engine sends it becomes what the schema asks for", () => {
  it.each([
    ["number", "12.50", 12.5],
    ["number", "-3", -3],
    ["number", "1e3", 1000],
    ["number", 7, 7],
    ["integer", "12.00", 12],
    ["flag", "true", true],
    ["flag", "false", false],
    ["flag", true, true],
    ["list", "[1,2]", [1, 2]],
    ["list", [1], [1]],
    ["object", ' {"deep":1}', { deep: 1 }],
    ["text", 12, "12"],
    ["text", "12", "12"],
    ["text", "[1]", "[1]"],
    ["choice", 1, "1"],
    ["either", "12", "12"],
    ["either", 12, 12],
    ["anything", "12", "12"],
    ["maybe", null, null],
    ["open.some", "5", 5],
  ])("%s: %j", (column, sent, expected) => {
    const [outer = "", inner] = column.split(".");
    const members = inner === undefined ? { [outer]: expected } : { [outer]: { [inner]: expected } };
    expect(read(column, sent)).toMatchObject(members);
  });

  it.each([
    ["integer", "9007199254740993"],
    ["integer", 9007199254740992],
    ["number", "12345678901234567890"],
    ["number", 9007199254740992],
    ["number", 1e20],
    ["number", "1e400"],
    ["number", "4503599627370497.25"],
    ["integer", "4503599627370497.25"],
    ["integer", "9007199254740992.0"],
    ["number", "NaN"],
    ["number", "-Infinity"],
    ["number", "0x10"],
    ["number", ""],
    ["number", " 1"],
    ["flag", "TRUE"],
    ["flag", "1"],
    ["list", "[1,"],
    ["list", "1,2"],
    ["text", true],
    ["text", 9007199254740992],
  ])("%s: %j is not guessed, and the schema refuses it", (column, sent) => {
    const input = read(column, sent);
    expect(decision.inputSchema["~standard"].validate(Object.assign({ required: {} }, input))).toHaveProperty(
      "issues",
    );
  });

  it.each(["either", "anything"])("%s: fails the row for a number that was rounded", (column) => {
    for (const sent of [9007199254740992, -9007199254740992, 1e20])
      expect(() => read(column, sent)).toThrow(expect.objectContaining({ code: "INVALID_ROW" }));
    expect(read(column, 2 ** 53 - 1)).toEqual({ [column]: 2 ** 53 - 1 });
    expect(read(column, "9007199254740993")).toEqual({ [column]: "9007199254740993" });
  });

  it("takes any number of an engine that sends large integers as text", () => {
    expect(read("number", 1e20, false)).toMatchObject({ number: 1e20 });
    expect(read("anything", 1e20, false)).toEqual({ anything: 1e20 });
  });

  it("leaves NULL out unless the schema allows null", () => {
    expect(read("text", null)).toEqual({});
    expect(read("maybe", null)).toEqual({ maybe: null });
    expect(read("anything", null)).toEqual({});
  });

  it("leaves out an object whose columns are all NULL, unless it is required", () => {
    expect(read("optional.inner", null)).toEqual({});
    expect(read("required.inner", null)).toEqual({ required: {} });
    expect(read("optional.inner", 1)).toEqual({ optional: { inner: 1 } });
  });

  it.each(['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}'])("refuses %s in a column", (text) => {
    expect(() => read("object", text)).toThrow(expect.objectContaining({ code: "FORBIDDEN_KEY" }));
  });
});

it("refuses columns that the input does not have", () => {
  const { problems } = new ColumnPlan(decision, ["text", "txt", "object.deeper", "anything.inside"], true);
  expect(problems.map(({ path }) => path)).toEqual(["/columns/1", "/columns/2"]);
  expect(problems[1]?.message).toBe('"deeper" is not in the decision\'s input; it has deep');
});

it("follows references and alternatives", () => {
  const schema = {
    type: "object",
    properties: {
      a: { $ref: "#/definitions/number" },
      b: { anyOf: [{ type: "null" }, { type: "integer" }] },
    },
    definitions: { number: { type: "number" } },
  };
  const inputSchema = {
    "~standard": {
      ...decision.inputSchema["~standard"],
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
  const other: Decision = { ...decision, inputSchema };
  expect(new ColumnPlan(other, ["a", "b"], true).toInput(["1", null], 0, false)).toEqual({
    a: 1,
    b: null,
  });
  expect(new ColumnPlan(other, ["a", "b"], true).toInput([0, "1", "2"], 1, false)).toEqual({
    a: 1,
    b: 2,
  });
});
