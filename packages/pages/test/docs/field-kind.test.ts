import { toJsonSchema } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { fieldKind } from "../../src/json/field-kind.js";
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
  ["json", z.record(z.string(), z.number())],
  ["json", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
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
