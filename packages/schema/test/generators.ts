import { createHash } from "node:crypto";
import fc from "fast-check";
import { type TSchema, Type } from "typebox";

/** Names of properties. Not `toString`: the judges call it. */
export const names = fc.constantFrom("a", "b", "c/d", "hasOwnProperty", "items", "__");
export const scalars = fc.constantFrom<string | number | boolean>("x", "y", "", 0, 1, 2.5, true, false);
const bound = fc.integer({ min: -2, max: 3 });
const count = fc.integer({ min: 0, max: 3 });

/** A unique name for a type. */
export function nameOf(type: TSchema): string {
  return `T${createHash("sha1").update(JSON.stringify(type)).digest("hex")}`;
}

/** Types, nested and combined at random; `wide` ones are those that OpenAPI 3.0 cannot express exactly. */
export function typesOf(wide: boolean): fc.Arbitrary<TSchema> {
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
      // For an empty nested list, the reference validators repeat their verdict on the list before it.
      tie("type").map((item) => Type.Array(Type.Any(), { contains: item, minItems: 1 })),
      fc.array(tie("type"), { minLength: 1, maxLength: 3 }).map((types) => Type.Union(types)),
      fc.array(tie("object"), { minLength: 1, maxLength: 2 }).map((types) => Type.Unsafe({ allOf: types })),
      fc.array(tie("type"), { minLength: 1, maxLength: 2 }).map((types) => Type.Unsafe({ oneOf: types })),
      tie("type").map((type) => Type.Unsafe({ not: type })),
      tie("type").map((type) => Type.Union([type, Type.Null()])),
      fc.tuple(tie("type"), tie("type"), tie("type")).map((types) => Type.Dependent(...types)),
      tie("object").map((type) => {
        const name = nameOf(type);
        return Type.Cyclic({ [name]: Type.Object({ own: type, next: Type.Optional(Type.Ref(name)) }) }, name);
      }),
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

/** JSON similar to what such types accept. */
export const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
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
