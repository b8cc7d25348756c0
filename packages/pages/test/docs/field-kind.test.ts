import { toJsonSchema } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { exampleValue } from "../../src/json/example-value.js";
import { branchesOf, fieldKind, fits } from "../../src/json/field-kind.js";
import { schemaRows } from "../../src/json/schema-rows.js";

const node = z.object({
  name: z.string(),
  get next() {
    return node.optional();
  },
});

it.each([
  ["object", z.object({ a: z.string() })],
  ["object", z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }))],
  ["object", node],
  ["array", z.array(z.string())],
  ["enum", z.enum(["a", "b"])],
  ["enum", z.literal(3)],
  ["string", z.string()],
  ["number", z.number()],
  ["number", z.int()],
  ["boolean", z.boolean()],
  ["nullable", z.string().nullable()],
  ["json", z.tuple([z.string(), z.number()])],
  ["object", z.record(z.string(), z.number())],
  ["union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ["union", z.union([z.string(), z.number()])],
  ["enum", z.union([z.literal("a"), z.literal(2)])],
  ["json", z.unknown()],
])("the form has a suitable field for %s", (kind, schema) => {
  const jsonSchema = toJsonSchema(schema);
  expect(fieldKind(jsonSchema, jsonSchema).kind).toBe(kind);
});

it("follows references, and annotations beside them describe the place", () => {
  const root = {
    $defs: { Money: { type: "number", title: "Money", minimum: 0 } },
    type: "object",
    properties: { price: { $ref: "#/$defs/Money", title: "Price" } },
    required: ["price"],
  };
  expect(schemaRows(root)).toMatchObject([
    { path: ["price"], type: "number", required: true, title: "Price", constraints: ["≥ 0"] },
  ]);
});

it("has a row for every property, and repeats none in a recursive type", () => {
  const paths = schemaRows(toJsonSchema(node)).map(({ path }) => path.join("."));
  expect(paths).toContain("name");
  expect(paths).toContain("next");
  expect(paths.length).toBeLessThan(6);
});

it("names items of lists and fields of maps", () => {
  const schema = toJsonSchema(
    z.object({
      lines: z.array(z.object({ sku: z.string() })).min(1),
      rates: z.record(z.string(), z.number()),
    }),
  );
  const rows = schemaRows(schema);
  expect(rows.map(({ path }) => path.join("."))).toEqual(["lines", "lines[].sku", "rates", "rates.*"]);
  expect(rows[0]).toMatchObject({ type: "list of objects", constraints: ["at least 1 item"] });
});

it("lists what each item of a list is one of", () => {
  const levels = { type: "array", items: { $ref: "#/$defs/level" } };
  const rows = schemaRows({
    type: "object",
    properties: { levels },
    $defs: { level: { enum: ["low", "high"] } },
  });
  expect(rows).toMatchObject([{ path: ["levels"], type: "list of one of", values: ["low", "high"] }]);
});

const payment = z.union([
  z.object({ type: z.literal("card"), number: z.string().min(12) }),
  z.object({ type: z.literal("bank"), iban: z.string(), holder: z.string().optional() }),
]);

it("names the branches of a union, finds the one of a value, and has a row for each", () => {
  const root = toJsonSchema(payment);
  const branches = branchesOf(root, root) ?? [];
  expect(branches.map(({ label }) => label)).toEqual(["card", "bank"]);
  const fitting = (value: unknown) =>
    branches.filter(({ schema }) => fits(value, schema, root)).map(({ label }) => label);
  expect(fitting({ type: "bank", iban: "X" })).toEqual(["bank"]);
  expect(fitting({ type: "card" })).toEqual([]);
  for (const { label, schema } of branches) expect(fitting(exampleValue(schema, root))).toEqual([label]);

  const rows = schemaRows(toJsonSchema(z.object({ payment })));
  expect(rows.map(({ path }) => path.join("."))).toEqual([
    "payment",
    "payment: card",
    "payment: card.type",
    "payment: card.number",
    "payment: bank",
    "payment: bank.type",
    "payment: bank.iban",
    "payment: bank.holder",
  ]);
  expect(rows[0]?.type).toBe("one of: card, bank");
});

it("knows what further members of an object are", () => {
  const schema = toJsonSchema(z.object({ vip: z.boolean() }).catchall(z.number()));
  expect(fieldKind(schema, schema)).toMatchObject({ kind: "object", rest: { type: "number" } });
});
