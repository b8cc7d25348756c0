import type { JsonSchema } from "@decern/core";
import type { JsonSchemaDialect } from "@decern/core/schema";
import fc from "fast-check";
import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { expect, it, vi } from "vitest";
import { toJsonSchema, typebox } from "../src/index.js";
import { names, typesOf, values } from "./generators.js";
import { judge } from "./judges.js";

// Each run compiles a type five times. Set DECERN_PROP_RUNS for more runs.
const numRuns = Number(process.env["DECERN_PROP_RUNS"] ?? 50);
vi.setConfig({ testTimeout: 300_000 + numRuns * 2_000 });

const exact: readonly JsonSchemaDialect[] = ["draft-07", "draft-2020-12"];
it("the exported schema and the validator accept the same values", () => {
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
        // `invalid` means that the search for errors found none in a refused value.
        if (!valid) expect(issues.map(({ keyword }) => keyword)).not.toContain("invalid");
        if (!valid) expect(issues.length).toBeGreaterThan(0);
        if (valid) accepted += 1;
        else refused += 1;
        expect(judges.map((accepts) => accepts(value))).toEqual([valid, valid]);
      }
    }),
    { numRuns },
  );
  // The test must see both.
  expect(accepted).toBeGreaterThan(numRuns / 5);
  expect(refused).toBeGreaterThan(numRuns / 5);
});

it("also with defaults: optional before validation, present afterwards", () => {
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
