import { type TSchema, Type } from "typebox";
import { describe, expect, it, vi } from "vitest";
import { expectCostInStep } from "../../../test/suites/growth.js";
import { FORMATS, formatTypes } from "../src/dialect/keywords.js";
import { typebox } from "../src/index.js";

vi.setConfig({ testTimeout: 180_000 });

/** The size of the smaller value. The larger one has eight times as many parts, up to a mebibyte of JSON. */
const parts = 5_000;

function list(length: number, item: (index: number) => unknown): unknown[] {
  return Array.from({ length }, (_, index) => item(index));
}
function object(length: number, item: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, item(index)]));
}
function nested(levels: number, end: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = end;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}
const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, Type.String()]));

describe("the time of a validation grows no faster than the value", () => {
  it.each<[string, TSchema, (size: number) => unknown]>([
    ["a list of wrong items", Type.Array(Type.Integer()), (size) => list(size, () => "a")],
    [
      "a list of objects that lack everything",
      Type.Array(Type.Object(wide)),
      (size) => list(size, () => ({})),
    ],
    [
      "a list of objects with too much",
      Type.Array(Type.Object({}, { additionalProperties: false })),
      (size) => list(size, () => ({ a: 1 })),
    ],
    [
      "an object with properties that are not allowed",
      Type.Object({}, { additionalProperties: false }),
      (size) => object(size, () => 1),
    ],
    [
      "an object with wrong property names",
      Type.Object({}, { propertyNames: Type.String({ maxLength: 1 }) }),
      (size) => object(size, () => 1),
    ],
    [
      "a record with wrong values",
      Type.Record(Type.String(), Type.Object(wide)),
      (size) => object(size, () => ({})),
    ],
    [
      "a record with wrong keys",
      Type.Record(Type.Integer(), Type.Null(), { additionalProperties: false }),
      (size) => object(size, () => 1),
    ],
    [
      "a list of failing unions",
      Type.Array(
        Type.Union([1, 2, 3, 4, 5].map((index) => Type.Object({ ...wide, [`only${index}`]: Type.Null() }))),
      ),
      (size) => list(size, () => ({})),
    ],
    ["unique scalars", Type.Array(Type.Any(), { uniqueItems: true }), (size) => list(size, (index) => index)],
    [
      "unique objects",
      Type.Array(Type.Any(), { uniqueItems: true }),
      (size) => list(size, (index) => ({ a: index })),
    ],
    [
      "a list without the required item",
      Type.Array(Type.Any(), { contains: Type.Object(wide) }),
      (size) => list(size, () => ({})),
    ],
    [
      "a long recursive union",
      Type.Cyclic(
        {
          List: Type.Union([
            Type.Null(),
            Type.Object({ next: Type.Ref("List"), all: Type.Array(Type.Ref("List")) }),
          ]),
        },
        "List",
      ),
      (size) => ({ next: null, all: [...list(size, () => ({ next: null, all: [] })), 1] }),
    ],
    [
      "defaults to fill in",
      Type.Object({ a: Type.Integer({ default: 1 }), b: Type.Array(Type.Integer()) }),
      (size) => ({ b: list(size, () => "a") }),
    ],
    [
      "a text for a pattern",
      Type.String({ pattern: "^(?:[a-z]+,)*[a-z]+$" }),
      (size) => `${"a,".repeat(10 * size)}!`,
    ],
    [
      "a text that is too long for its pattern",
      Type.String({ pattern: "^[a-z0-9]+@[a-z0-9]+$", maxLength: 10 }),
      (size) => "a".repeat(20 * size),
    ],
  ])("%s", async (_name, type, make) => {
    const { validate } = typebox(type)["~standard"];
    validate(null);
    const prepare = (size: number) => {
      const value = make(size);
      return () => {
        const result = validate(value);
        if (!(result instanceof Promise)) expect(result.issues?.length ?? 0).toBeLessThanOrEqual(20);
      };
    };
    await expectCostInStep(prepare, [parts, 8 * parts]);
  });

  const expression = (...order: readonly ("op" | "operand")[]): TSchema => {
    const operation = (op: string): TSchema => {
      const properties = { op: Type.Literal(op), operand: Type.Ref("Expression") };
      return Type.Object(Object.fromEntries(order.map((name) => [name, properties[name]])));
    };
    return Type.Cyclic(
      { Expression: Type.Union([operation("not"), operation("neg"), Type.Object({ value: Type.Number() })]) },
      "Expression",
    );
  };
  const negated = (inner: unknown): unknown => ({ operand: inner, op: "neg" });

  it.each<[string, TSchema, unknown, (inner: unknown) => unknown]>([
    ["the operand before the operator", expression("operand", "op"), { value: "x" }, negated],
    ["the operator before the operand", expression("op", "operand"), { value: "x" }, negated],
    [
      "no discriminator",
      Type.Cyclic(
        {
          Node: Type.Union([
            Type.Object({ next: Type.Ref("Node"), a: Type.Optional(Type.String()) }),
            Type.Object({ next: Type.Ref("Node"), b: Type.Optional(Type.String()) }),
            Type.Object({ value: Type.Number() }),
          ]),
        },
        "Node",
      ),
      { value: "x" },
      (next) => ({ next }),
    ],
    [
      "lists of themselves",
      Type.Cyclic(
        {
          Condition: Type.Union([
            Type.Object({ all: Type.Array(Type.Ref("Condition")) }),
            Type.Object({ all: Type.Array(Type.Ref("Condition")), not: Type.Boolean() }),
            Type.Object({ field: Type.String() }),
          ]),
        },
        "Condition",
      ),
      { field: 1 },
      (inner) => ({ all: [inner] }),
    ],
  ])("recursive alternatives with %s", async (_name, type, end, wrap) => {
    const { validate } = typebox(type)["~standard"];
    const prepare = (levels: number) => {
      const value = nested(levels, end, wrap);
      return () => expect(validate(value)).toHaveProperty("issues");
    };
    // At 60 levels, twice the time for each would take longer than anybody lives.
    await expectCostInStep(prepare, [60, 480]);
  });
});

describe("formats", () => {
  const attacks = [
    "a",
    "0",
    ".",
    "-",
    ":",
    "/",
    "%20",
    "a.",
    "a-",
    "1.",
    "0:",
    "a@",
    "{a}",
    "P1D",
    " ",
    "T",
    "[",
    "\\",
    "::",
    "a:",
    "=",
    "~0",
    "é",
  ];

  it.each(FORMATS.filter((format) => formatTypes(format).includes("string")))(
    "%s takes time proportional to the text, for any repeated part",
    async (format) => {
      const { validate } = typebox(Type.String({ format }))["~standard"];
      validate("");
      for (const start of ["", "a@", "http://", "http://a@", "#", "/", "0", "2026-01-01T00:00:00."]) {
        for (const repeated of attacks) {
          const prepare = (size: number) => {
            const text = `${start}${repeated.repeat(size / repeated.length)}\u0000`;
            return () => void validate(text);
          };
          await expectCostInStep(prepare, [20_000, 160_000], `${start} and ${repeated}`);
        }
      }
    },
  );
});
