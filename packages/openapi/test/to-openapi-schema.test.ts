import type { JsonSchema } from "@decern/core";
import { describe, expect, it } from "vitest";
import { toOpenAPISchema } from "../src/convert/to-openapi-schema.js";

const convert = (schema: unknown) =>
  toOpenAPISchema(schema, {
    rewrite: (ref) => `#/components/schemas/${ref.split("/").at(-1)}`,
    find: (ref) => `#/components/schemas/${ref.split("/").at(-1)}`,
    exact: true,
  });
/** Not an object literal: one with `then` looks like a promise. */
const condition = (...schemas: readonly JsonSchema[]): JsonSchema =>
  Object.fromEntries(["if", "then", "else"].map((keyword, index) => [keyword, schemas[index]]));
const nullSchema = { type: "boolean", nullable: true, enum: [null] };

const cases: readonly [name: string, from: JsonSchema | boolean, to: JsonSchema][] = [
  ["true", true, {}],
  ["false", false, { not: {} }],
  ["null", { type: "null", description: "None" }, { ...nullSchema, description: "None" }],
  ["const", { const: "a" }, { type: "string", enum: ["a"] }],
  ["const null", { const: null }, nullSchema],
  [
    "const of an object",
    { const: { a: 1, b: { c: null } } },
    {
      type: "object",
      properties: {
        a: { type: "number", enum: [1] },
        b: { type: "object", properties: { c: nullSchema }, required: ["c"], additionalProperties: false },
      },
      required: ["a", "b"],
      additionalProperties: false,
    },
  ],
  [
    "const of the empty object, with a limit of its own",
    { const: {}, additionalProperties: { type: "string" }, title: "T" },
    {
      title: "T",
      additionalProperties: { type: "string" },
      anyOf: [{ type: "object", properties: {}, additionalProperties: false }],
    },
  ],
  [
    "an enum of lists and other values",
    { enum: [[1], "a", null, [2]] },
    {
      anyOf: [
        { type: "array", items: {}, enum: [[1], [2], null], nullable: true },
        { type: "string", enum: ["a"] },
      ],
    },
  ],
  ["an enum without type", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
  ["an enum with null", { enum: ["a", null] }, { type: "string", nullable: true, enum: ["a", null] }],
  [
    "an enum of two types",
    { enum: ["a", 1] },
    {
      anyOf: [
        { type: "string", enum: ["a"] },
        { type: "number", enum: [1] },
      ],
    },
  ],
  [
    "an enum that its type narrows",
    { type: ["string", "null"], enum: ["a", 1] },
    { type: "string", enum: ["a"] },
  ],
  ["an enum of integers", { type: "integer", enum: [1, 1.5] }, { type: "integer", enum: [1] }],
  ["an enum of nothing", { enum: [] }, { not: {} }],
  [
    "type or null",
    { type: ["string", "null"], minLength: 1 },
    { type: "string", minLength: 1, nullable: true },
  ],
  [
    "two types, each with its keywords",
    { type: ["string", "number"], minLength: 1, minimum: 2, title: "T" },
    {
      title: "T",
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "number", minimum: 2 },
      ],
    },
  ],
  [
    "three types beside a union",
    { type: ["string", "number"], anyOf: [{ minLength: 1 }, { minimum: 2 }] },
    {
      anyOf: [{ minLength: 1 }, { minimum: 2 }],
      allOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }],
    },
  ],
  [
    "a union with null",
    { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
    { type: "string", nullable: true, enum: ["a", null] },
  ],
  [
    "a longer union with null",
    { anyOf: [{ $ref: "#/definitions/A" }, { const: 1 }, { type: "null" }, { const: "a" }] },
    {
      anyOf: [
        { $ref: "#/components/schemas/A" },
        { type: "number", nullable: true, enum: [1, null] },
        { type: "string", enum: ["a"] },
      ],
    },
  ],
  [
    "a union with null beside another keyword",
    { anyOf: [{ const: 1 }, { type: "null" }], not: { const: 2 } },
    {
      anyOf: [{ type: "number", nullable: true, enum: [1, null] }],
      not: { type: "number", enum: [2] },
    },
  ],
  [
    "null or what a composition keeps from being null",
    { anyOf: [{ type: "object", allOf: [{ type: "object" }] }, { type: "null" }] },
    { anyOf: [{ type: "object", allOf: [{ type: "object" }] }, nullSchema] },
  ],
  [
    "two types or null",
    { type: ["string", "number", "null"], minLength: 1 },
    { anyOf: [{ type: "string", minLength: 1, nullable: true }, { type: "number" }] },
  ],
  [
    "a reference or null",
    { anyOf: [{ $ref: "#/definitions/A" }, { type: "null" }] },
    { anyOf: [{ $ref: "#/components/schemas/A" }, nullSchema] },
  ],
  [
    "a reference with siblings",
    { $ref: "#/definitions/A", description: "D" },
    { description: "D", allOf: [{ $ref: "#/components/schemas/A" }] },
  ],
  [
    "excluded limits",
    { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2 },
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
  ],
  [
    "two lower limits, the excluded one higher",
    { type: "number", minimum: 1, exclusiveMinimum: 1 },
    { type: "number", minimum: 1, exclusiveMinimum: true },
  ],
  [
    "two upper limits, the excluded one higher",
    { type: "number", maximum: 1, exclusiveMaximum: 2 },
    { type: "number", maximum: 1 },
  ],
  [
    "a closed tuple",
    { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false, minItems: 2 },
    { type: "array", minItems: 2, items: { anyOf: [{ type: "string" }, { type: "number" }] }, maxItems: 2 },
  ],
  [
    "a tuple of one kind",
    { type: "array", prefixItems: [{ type: "string" }, { type: "string" }], items: false },
    { type: "array", items: { type: "string" }, maxItems: 2 },
  ],
  ["an open tuple", { type: "array", items: [{ type: "string" }] }, { type: "array", items: {} }],
  [
    "a tuple with a rest",
    { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
  ],
  [
    "the empty tuple",
    { type: "array", items: [], additionalItems: false },
    { type: "array", items: {}, maxItems: 0 },
  ],
  ["an array of anything", { type: "array" }, { type: "array", items: {} }],
  [
    "a record",
    { type: "object", patternProperties: { "^.*$": { type: "number" } } },
    { type: "object", additionalProperties: { type: "number" } },
  ],
  [
    "closed patterns",
    {
      type: "object",
      patternProperties: { "^a": { type: "number" }, "^b": { type: "string" } },
      additionalProperties: false,
    },
    { type: "object", additionalProperties: { anyOf: [{ type: "number" }, { type: "string" }] } },
  ],
  ["open patterns", { type: "object", patternProperties: { "^a": { type: "number" } } }, { type: "object" }],
  [
    "a required property without a description",
    { type: "object", required: ["a", "a"], additionalProperties: { type: "number" } },
    {
      type: "object",
      properties: { a: { type: "number" } },
      additionalProperties: { type: "number" },
      required: ["a"],
    },
  ],
  [
    "a required property with a forbidden name",
    { type: "object", properties: { a: true }, required: ["b"], additionalProperties: false },
    { type: "object", properties: { a: {}, b: { not: {} } }, required: ["b"], additionalProperties: false },
  ],
  [
    "an empty required",
    { type: "object", properties: { a: true }, required: [] },
    { type: "object", properties: { a: {} } },
  ],
  ["examples", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
  [
    "alternatives that exclude one another",
    { oneOf: [{ type: "string" }, { type: "number" }], not: { const: 1 } },
    { oneOf: [{ type: "string" }, { type: "number" }], not: { type: "number", enum: [1] } },
  ],
  [
    "alternatives that must be widened",
    {
      oneOf: [
        { type: "array", items: [{ const: 1 }] },
        { type: "array", items: [{ const: 2 }] },
      ],
    },
    { type: "array", items: {} },
  ],
  [
    "a negation that cannot be exact",
    { type: "array", not: { items: [{ const: 1 }] } },
    { type: "array", items: {} },
  ],
  [
    "a condition",
    condition({ type: "string" }, { maxLength: 3 }, { minimum: 1 }),
    {
      anyOf: [
        { allOf: [{ type: "string" }, { maxLength: 3 }] },
        { allOf: [{ not: { type: "string" } }, { minimum: 1 }] },
      ],
    },
  ],
  [
    "a condition that cannot be negated",
    condition({ type: "array", items: [{ const: 1 }] }, { maxItems: 3 }, { minimum: 1 }),
    { anyOf: [{ allOf: [{ type: "array", items: {} }, { maxItems: 3 }] }, { minimum: 1 }] },
  ],
  [
    "contains",
    { type: "array", contains: { type: "string" } },
    { type: "array", items: {}, not: { type: "array", items: { not: { type: "string" } } } },
  ],
  ["two branches alike", { anyOf: [{ type: "string" }, { type: "string" }] }, { type: "string" }],
  [
    "text that looks like HTML",
    { type: "string", description: "<b>&lt; a & b" },
    { type: "string", description: "&lt;b>&amp;lt; a & b" },
  ],
  [
    "keywords that the dialect does not have",
    {
      $schema: "x",
      $id: "y",
      $comment: "z",
      type: "string",
      contentEncoding: "base64",
      readOnly: true,
      "x-mine": 1,
    },
    { type: "string", "x-mine": 1 },
  ],
];

describe("toOpenAPISchema", () => {
  it.each(cases)("writes %s", (_name, from, to) => {
    expect(convert(from)).toEqual(to);
  });

  it("keeps properties of any name", () => {
    const properties: unknown = JSON.parse(
      '{"__proto__":{"const":1},"constructor":{"const":2},"properties":{"const":3}}',
    );
    const { properties: written } = convert({ type: "object", properties });
    expect(JSON.stringify(written)).toBe(
      '{"__proto__":{"type":"number","enum":[1]},"constructor":{"type":"number","enum":[2]},"properties":{"type":"number","enum":[3]}}',
    );
  });
});
