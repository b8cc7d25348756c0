import type { JsonSchema, JsonSchemaDialect } from "@decern/core";
import fc from "fast-check";
import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { expect, it, vi } from "vitest";
import { toJsonSchema, typebox } from "../src/index.js";
import { judge } from "./judges.js";

// Each run compiles a type five times. Give DECERN_PROP_RUNS for more.
const numRuns = Number(process.env["DECERN_PROP_RUNS"] ?? 50);
vi.setConfig({ testTimeout: 30_000 + numRuns * 200 });

const exact: readonly JsonSchemaDialect[] = ["draft-07", "draft-2020-12"];
// Not `toString`: the judges call it.
const names = fc.constantFrom("a", "b", "c/d", "hasOwnProperty", "items", "__");
const scalars = fc.constantFrom<string | number | boolean>("x", "y", "", 0, 1, 2.5, true, false);
const bound = fc.integer({ min: -2, max: 3 });
const count = fc.integer({ min: 0, max: 3 });

/** Types, nested and combined at random; `wide` are those that OpenAPI 3.0 cannot say exactly. */
function typesOf(wide: boolean): fc.Arbitrary<TSchema> {
  return fc.letrec<{ type: TSchema; object: TSchema }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.oneof(
        fc.constantFrom<TSchema>(Type.Any(), Type.Null(), Type.Boolean(), Type.Never()),
        fc
          .record({ minLength: count, maxLength: count }, { requiredKeys: [] })
          .map((options) => Type.String(options)),
        fc.constantFrom<TSchema>(
          Type.String({ pattern: "^[xy]*$" }),
          Type.String({ format: "date" }),
          Type.Integer({ multipleOf: 2 }),
          Type.Unsafe({ type: ["integer", "null", "array"], minimum: 1 }),
          Type.Unsafe({ const: {} }),
          Type.Unsafe({ enum: [[], { a: 1 }, [{}], "x", null] }),
        ),
        fc
          .record(
            { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
            { requiredKeys: [] },
          )
          .chain((options) => fc.constantFrom<TSchema>(Type.Number(options), Type.Integer(options))),
        scalars.map((value) => Type.Literal(value)),
        fc
          .uniqueArray(fc.oneof(scalars, fc.constant(null)), { minLength: 1, maxLength: 3 })
          .map((values) => Type.Unsafe({ enum: values })),
      ),
      tie("object"),
      fc
        .tuple(
          tie("type"),
          fc.record({ minItems: count, maxItems: count, uniqueItems: fc.boolean() }, { requiredKeys: [] }),
        )
        .map(([item, options]) => Type.Array(item, options)),
      // For an empty list among others, the judges repeat what they found in the list before it.
      tie("type").map((item) => Type.Array(Type.Any(), { contains: item, minItems: 1 })),
      fc.array(tie("type"), { minLength: 1, maxLength: 3 }).map((types) => Type.Union(types)),
      fc.array(tie("object"), { minLength: 1, maxLength: 2 }).map((types) => Type.Unsafe({ allOf: types })),
      fc.array(tie("type"), { minLength: 1, maxLength: 2 }).map((types) => Type.Unsafe({ oneOf: types })),
      tie("type").map((type) => Type.Unsafe({ not: type })),
      tie("type").map((type) => Type.Union([type, Type.Null()])),
      fc.tuple(tie("type"), tie("type"), tie("type")).map((types) => Type.Dependent(...types)),
      tie("object").map((type) =>
        Type.Cyclic({ Node: Type.Object({ own: type, next: Type.Optional(Type.Ref("Node")) }) }, "Node"),
      ),
      tie("type").map((type) => Type.Record(Type.String(), type)),
      ...(wide
        ? [
            fc.array(tie("type"), { maxLength: 3 }).map((types) => Type.Tuple(types)),
            fc
              .record(
                {
                  items: fc.array(tie("type"), { minLength: 1, maxLength: 2 }),
                  additionalItems: fc.oneof(fc.constant(true), tie("type")),
                },
                { requiredKeys: ["items"] },
              )
              .map((places) => Type.Unsafe({ type: "array", ...places })),
            tie("type").map((type) => Type.Record(Type.Integer(), type, { additionalProperties: false })),
            tie("type").map((type) =>
              Type.Object({}, { propertyNames: Type.String({ maxLength: 1 }), additionalProperties: type }),
            ),
          ]
        : []),
    ),
    object: fc
      .tuple(
        fc.dictionary(names, fc.tuple(tie("type"), fc.boolean()), { maxKeys: 3, noNullPrototype: true }),
        fc.constantFrom({}, { additionalProperties: false }, { minProperties: 1 }, { maxProperties: 2 }),
      )
      .map(([properties, options]) =>
        Type.Object(
          Object.fromEntries(
            Object.entries(properties).map(([name, [type, optional]]) => [
              name,
              optional ? Type.Optional(type) : type,
            ]),
          ),
          options,
        ),
      ),
  })).type;
}

/** JSON that comes near to what such types accept. */
const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(
      scalars,
      fc.constant(null),
      fc.integer({ min: -3, max: 4 }),
      fc.constantFrom("xy", "2026-11-21", "xxxx"),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(names, fc.constantFrom("own", "next", "1")), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

it("what the exported schema accepts, the validator accepts, and the other way round", () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(typesOf(true), fc.array(values, { minLength: 15, maxLength: 15 }), (type, samples) => {
      const { validate } = typebox(type)["~standard"];
      const judges = exact.map((dialect) => judge(toJsonSchema(type, "input", dialect), dialect));
      for (const value of samples) {
        const result = validate(value);
        const issues = result instanceof Promise ? undefined : result.issues;
        const valid = issues === undefined;
        // `invalid` is said where the search for errors finds none in what is refused.
        if (!valid) expect(issues.map(({ keyword }) => keyword)).not.toContain("invalid");
        if (!valid) expect(issues.length).toBeGreaterThan(0);
        if (valid) accepted += 1;
        else refused += 1;
        expect(judges.map((accepts) => accepts(value))).toEqual([valid, valid]);
      }
    }),
    { numRuns },
  );
  // The test has to see both.
  expect(accepted).toBeGreaterThan(numRuns);
  expect(refused).toBeGreaterThan(numRuns);
});

it("with defaults, too: absent before validation, there afterwards", () => {
  const property = fc.tuple(
    fc.constantFrom<(options: TSchemaOptions) => TSchema>(
      (options) => Type.Integer({ ...options, default: 1 }),
      (options) => Type.Optional(Type.String({ ...options, default: "x" })),
      (options) => Type.Boolean(options),
      (options) => Type.Optional(Type.Null(options)),
    ),
    fc.constantFrom<TSchemaOptions>({}, { description: "d" }),
  );
  const types = fc
    .dictionary(
      names.filter((name) => name !== "hasOwnProperty"),
      property,
      { minKeys: 1, maxKeys: 4, noNullPrototype: true },
    )
    .map((properties) =>
      Type.Object(
        Object.fromEntries(
          Object.entries(properties).map(([name, [make, options]]) => [name, make(options)]),
        ),
      ),
    );
  fc.assert(
    fc.property(types, fc.array(values, { minLength: 15, maxLength: 15 }), (type, samples) => {
      const schemas: readonly JsonSchema[] = [toJsonSchema(type, "input"), toJsonSchema(type, "output")];
      const [before, after] = schemas.map((schema) => judge(schema, "draft-07"));
      for (const value of [{}, ...samples]) {
        const text = JSON.stringify(value);
        const result = typebox(type)["~standard"].validate(value);
        expect(before?.(value)).toBe("value" in result);
        if ("value" in result) expect(after?.(result.value)).toBe(true);
        expect(JSON.stringify(value)).toBe(text);
      }
    }),
  );
});
