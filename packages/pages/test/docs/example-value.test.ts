import { type Schema, toJsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleValue } from "../../src/json/example-value.js";

const schemas: Record<string, z.ZodType & Schema> = {
  text: z.string(),
  "long text": z.string().min(5),
  email: z.email(),
  uuid: z.uuid(),
  uri: z.url(),
  date: z.iso.date(),
  "date and time": z.iso.datetime(),
  "whole number": z.int(),
  "number above": z.number().gt(3),
  "number between": z.number().gt(0).lt(0.5),
  "negative number": z.number().max(-2),
  "whole number below": z.int().lt(0),
  multiple: z.number().min(1).multipleOf(5),
  boolean: z.boolean(),
  enum: z.enum(["a", "b"]),
  constant: z.literal("only"),
  nullable: z.string().nullable(),
  union: z.union([z.object({ a: z.string() }), z.number()]),
  list: z.array(z.string()),
  "list with items": z.array(z.int().min(1)).min(3),
  tuple: z.tuple([z.string(), z.number()]),
  record: z.record(z.string(), z.number()),
  nested: z.object({
    a: z.object({ b: z.array(z.object({ c: z.boolean() })).min(1) }),
    d: z.string().optional(),
  }),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  example: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .meta({ examples: ["GB"] }),
  default: z.string().regex(/^x$/).default("x"),
  recursive: z.object({
    name: z.string(),
    get children() {
      return z.array(z.object({ name: z.string() }));
    },
  }),
};

describe("an example value", () => {
  it.each(Object.entries(schemas))("matches its schema: %s", (_name, schema) => {
    const jsonSchema = toJsonSchema(schema);
    const value = exampleValue(jsonSchema, jsonSchema);
    expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  });

  it("leaves out optional properties", () => {
    const schema = toJsonSchema(z.object({ a: z.string(), b: z.string().optional() }));
    expect(exampleValue(schema, schema)).toEqual({ a: "" });
  });

  it("terminates for a recursive type", () => {
    const schema = {
      type: "object",
      properties: { next: { $ref: "#" } },
      required: ["next"],
    };
    expect(JSON.stringify(exampleValue(schema, schema)).length).toBeLessThan(500);
  });
});
