import { Validator } from "@seriousme/openapi-schema-validator";
import { default as Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOpenAPISchema } from "../src/convert/to-openapi-schema.js";
import { schemaValidator } from "./support/document-validator.js";

const name = fc.constantFrom("a", "b", "xa");
const scalar = fc.constantFrom<unknown>("a", "bb", "", 0, 1, 2.5, -1, true, false, null);
const bound = fc.integer({ min: -1, max: 3 });

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Draft-07 schemas of every keyword that the dialect has to rewrite. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const some = tie("schema");
  const optional = { requiredKeys: [] };
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom({}, true, false, { type: "null" }),
      fc.record({ const: value }),
      fc.record({ enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: JSON.stringify }) }),
      fc.record(
        {
          type: fc.uniqueArray(fc.constantFrom("string", "number", "integer", "boolean", "null"), {
            minLength: 1,
            maxLength: 3,
          }),
          minLength: fc.nat({ max: 2 }),
          minimum: bound,
          exclusiveMinimum: bound,
          maximum: bound,
          exclusiveMaximum: bound,
        },
        { requiredKeys: ["type"] },
      ),
      fc
        .record(
          {
            items: fc.oneof(some, fc.array(some, { minLength: 1, maxLength: 3 })),
            additionalItems: some,
            minItems: fc.nat({ max: 2 }),
            maxItems: fc.nat({ max: 3 }),
          },
          optional,
        )
        .map((keywords) => ({ type: "array", ...keywords })),
      fc
        .record(
          {
            properties: fc.dictionary(name, some, { maxKeys: 2 }),
            patternProperties: fc.dictionary(fc.constantFrom("^x", "^.*$", "b$"), some, { maxKeys: 2 }),
            additionalProperties: some,
            required: fc.uniqueArray(name, { maxLength: 2 }),
          },
          optional,
        )
        .map((keywords) => ({ type: "object", ...keywords })),
      fc.record({ anyOf: fc.array(some, { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(some, { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: some }),
      fc
        .record({ type: fc.constantFrom("string", "object"), allOf: fc.tuple(some) })
        .map((branch) => ({ anyOf: [branch, { type: "null" }] })),
      // Without `items`: the judge then takes an empty list for one that contains something.
      some.map((contains) => ({ type: "array", contains, minItems: 1 })),
      // Not an object literal: one with `then` looks like a promise.
      fc
        .tuple(some, some, some)
        .map((schemas) => Object.fromEntries(["if", "then", "else"].map((name, at) => [name, schemas[at]]))),
    ),
  };
});

const write = (source: unknown) =>
  toOpenAPISchema(source, { rewrite: (ref) => ref, find: (ref) => ref, exact: true });

describe("toOpenAPISchema, for any schema and value", () => {
  it("never refuses a value that the source allows", () => {
    let allowed = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 20 }), (source, values) => {
        const validate = new Ajv.default({ strict: false }).compile(
          typeof source === "boolean" ? source : Object(source),
        );
        const validateWritten = schemaValidator(write(source));
        for (const one of values) {
          if (!validate(one)) continue;
          allowed += 1;
          expect(validateWritten(one), JSON.stringify([source, write(source), one])).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
    expect(allowed).toBeGreaterThan(300);
  });

  it("writes schemas that an independent validator accepts as OpenAPI 3.0", async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (source) => {
        const { valid, errors } = await new Validator().validate({
          openapi: "3.0.3",
          info: { title: "T", version: "1" },
          paths: {},
          components: { schemas: { S: write(source) } },
        });
        expect(valid, JSON.stringify([source, write(source), errors])).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
