import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { schemaOf } from "../../src/json/schema-port.js";

const address = z.object({ city: z.string().min(1).max(3), zip: z.string().regex(/^\d{2}$/) });

/** What fields of tables have. */
const schemas = [
  z.object({ n: z.number().min(1).max(3), i: z.int().optional() }),
  z.object({ n: z.number().gt(1).lt(3).multipleOf(0.5) }),
  z.object({ e: z.enum(["a", "b"]), c: z.literal("x").nullable() }),
  z.object({ address, b: z.boolean().default(true) }),
  z.strictObject({ list: z.array(z.number().min(0)).min(1).max(2) }),
  z.object({ u: z.union([z.string().max(1), z.number()]), day: z.iso.date().optional() }),
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("card"), n: z.number() }),
    z.object({ kind: z.literal("bank"), e: z.string() }),
  ]),
];

const scalars = fc.constantFrom<unknown>(
  0,
  1,
  1.25,
  1.5,
  2,
  3,
  "a",
  "b",
  "x",
  "",
  "abcd",
  "42",
  true,
  null,
  "2026-03-31",
);
const members = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.record({ city: scalars, zip: scalars }, { requiredKeys: [] }),
  fc.constantFrom("card", "bank"),
);
const values = fc.dictionary(
  fc.constantFrom("n", "i", "e", "c", "address", "b", "list", "u", "day", "kind", "more"),
  members,
);

it.each(schemas.map((schema, index) => [index, schema] as const))(
  "accepts what zod accepts, and fills in the same defaults: schema %i",
  (_index, schema) => {
    const sent = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
    const port = schemaOf({ ...sent }, {})["~standard"];
    fc.assert(
      fc.property(values, (value) => {
        const judged = schema.safeParse(value);
        const result = port.validate(value);
        if (result instanceof Promise) throw new Error("a promise");
        expect(result.issues === undefined, JSON.stringify(value)).toBe(judged.success);
        // zod drops members that it does not know.
        if (judged.success && result.issues === undefined) expect(result.value).toMatchObject(judged.data);
      }),
      { numRuns: 500 },
    );
  },
);

it("follows references, also those of a schema to itself", () => {
  const tree = {
    type: "object",
    properties: { next: { $ref: "#" }, n: { $ref: "#/$defs/n" } },
    $defs: { n: { type: "number" } },
  };
  const { validate } = schemaOf(tree, tree)["~standard"];
  expect(validate({ n: 1, next: { n: 2 } })).toHaveProperty("value");
  expect(validate({ n: 1, next: { n: "2" } })).toEqual({
    issues: [{ message: expect.any(String), path: ["next", "n"] }],
  });
});
