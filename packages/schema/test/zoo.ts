import { type TSchema, Type } from "typebox";

/** One type of every kind, each with values that it accepts and values that it refuses. */
export interface Exhibit {
  readonly type: TSchema;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const node = Type.Cyclic(
  { Node: Type.Object({ name: Type.String(), children: Type.Array(Type.Ref("Node")) }) },
  "Node",
);

const integerKeys = Type.Record(Type.Integer(), Type.String(), { additionalProperties: false });
const notKeys = Type.Unsafe({ not: { $ref: "Keys" } });

export const zoo: Readonly<Record<string, Exhibit>> = {
  any: { type: Type.Any(), valid: [null, 1, {}, []], invalid: [] },
  never: { type: Type.Never(), valid: [], invalid: [null, 1, {}] },
  string: { type: Type.String(), valid: ["", "a"], invalid: [1, null, {}] },
  boolean: { type: Type.Boolean(), valid: [true], invalid: [0, "true"] },
  null: { type: Type.Null(), valid: [null], invalid: [0, "", false] },
  integer: { type: Type.Integer(), valid: [0, -1, 1e3], invalid: [0.5, "1", Number.NaN] },
  number: { type: Type.Number(), valid: [0.5], invalid: ["0.5", Number.POSITIVE_INFINITY] },
  bounds: { type: Type.Number({ minimum: 0, maximum: 1 }), valid: [0, 1], invalid: [-0.1, 1.1] },
  "exclusive bounds": {
    type: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    valid: [0.1],
    invalid: [0, 1],
  },
  "both kinds of bounds": {
    type: Type.Number({ minimum: 1, exclusiveMinimum: 0, maximum: 5, exclusiveMaximum: 5 }),
    valid: [1, 4.9],
    invalid: [0.5, 5],
  },
  multiple: { type: Type.Number({ multipleOf: 5 }), valid: [0, 10], invalid: [3] },
  "string lengths": {
    type: Type.String({ minLength: 1, maxLength: 2 }),
    valid: ["a", "ab"],
    invalid: ["", "abc"],
  },
  pattern: { type: Type.String({ pattern: "^[A-Z]{2}$" }), valid: ["DE"], invalid: ["de", "DEU"] },
  "pattern as RegExp": { type: Type.String({ pattern: /^[a-z]+$/u }), valid: ["a"], invalid: ["A"] },
  format: { type: Type.String({ format: "date-time" }), valid: ["2026-11-21T05:00:00Z"], invalid: ["today"] },
  "format of numbers": { type: Type.Integer({ format: "int32" }), valid: [1], invalid: [2 ** 31, 0.5] },
  template: {
    type: Type.TemplateLiteral([Type.Literal("v"), Type.Number()]),
    valid: ["v1"],
    invalid: ["1", "vx"],
  },
  literal: { type: Type.Literal("a"), valid: ["a"], invalid: ["b", 1] },
  literals: {
    type: Type.Union([Type.Literal("a"), Type.Literal("b")]),
    valid: ["a", "b"],
    invalid: ["c", 1],
  },
  "literals and null": {
    type: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]),
    valid: ["a", null],
    invalid: ["c", 1],
  },
  "mixed literals": {
    type: Type.Union([Type.Literal("a"), Type.Literal(1), Type.Literal(true)]),
    valid: ["a", 1, true],
    invalid: ["b", 2, false],
  },
  enum: { type: Type.Enum(["a", "b"]), valid: ["a"], invalid: ["c"] },
  "enum of TypeScript": { type: Type.Enum({ Low: 0, High: 1 }), valid: [0, 1], invalid: [2, "Low"] },
  nullable: {
    type: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
    valid: ["a", null],
    invalid: ["", 1],
  },
  "nullable object": {
    type: Type.Union([Type.Object({ a: Type.Integer() }), Type.Null()]),
    valid: [{ a: 1 }, null],
    invalid: [{}, 1],
  },
  "nullable union": {
    type: Type.Union([Type.String(), Type.Integer(), Type.Null()]),
    valid: ["a", 1, null],
    invalid: [true, 1.5],
  },
  "list of types": { type: Type.Unsafe({ type: ["string", "null"] }), valid: ["a", null], invalid: [1] },
  "an object or null, by a list of types": {
    type: Type.Unsafe({ type: ["object", "null"] }),
    valid: [{}, { a: 1 }, null],
    invalid: [1, []],
  },
  "longer list of types": {
    type: Type.Unsafe({ type: ["array", "string", "null"], minLength: 1 }),
    valid: ["a", null, [1]],
    invalid: ["", 1],
  },
  array: { type: Type.Array(Type.Integer()), valid: [[], [1]], invalid: [["a"], {}] },
  "array bounds": {
    type: Type.Array(Type.Any(), { minItems: 1, maxItems: 2 }),
    valid: [[1], [1, 2]],
    invalid: [[], [1, 2, 3]],
  },
  "unique items": {
    type: Type.Array(Type.Any(), { uniqueItems: true }),
    valid: [[1, "1", true, null, [1], { a: 1 }]],
    invalid: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[{}], [{}]],
    ],
  },
  contains: {
    type: Type.Array(Type.Any(), { contains: Type.Literal(7) }),
    valid: [[7], [1, 7]],
    invalid: [[], [1]],
  },
  tuple: {
    type: Type.Tuple([Type.String(), Type.Integer()]),
    valid: [["a", 1]],
    invalid: [[], ["a"], [1, "a"], ["a", 1, 2]],
  },
  "empty tuple": { type: Type.Tuple([]), valid: [[]], invalid: [[1]] },
  "tuple of one kind": {
    type: Type.Tuple([Type.Integer(), Type.Integer()]),
    valid: [[1, 2]],
    invalid: [[1]],
  },
  "open tuple": {
    type: Type.Unsafe({ type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } }),
    valid: [[], ["a"], ["a", 1, 2]],
    invalid: [[1], ["a", "b"]],
  },
  "empty object": { type: Type.Object({}), valid: [{}, { a: 1 }], invalid: [[], null, 1] },
  object: {
    type: Type.Object({ a: Type.String(), b: Type.Optional(Type.Integer()) }),
    valid: [{ a: "" }, { a: "", b: 1, c: 1 }],
    invalid: [{}, { a: 1 }, { a: "", b: "" }],
  },
  "closed object": {
    type: Type.Object({ a: Type.String() }, { additionalProperties: false }),
    valid: [{ a: "" }],
    invalid: [{ a: "", b: 1 }],
  },
  "object with typed rest": {
    type: Type.Object({ a: Type.String() }, { additionalProperties: Type.Integer() }),
    valid: [{ a: "", b: 1 }],
    invalid: [{ a: "", b: "" }],
  },
  "counted object": {
    type: Type.Object({}, { minProperties: 1, maxProperties: 2 }),
    valid: [{ a: 1 }],
    invalid: [{}, { a: 1, b: 2, c: 3 }],
  },
  partial: {
    type: Type.Partial(Type.Object({ a: Type.String() })),
    valid: [{}, { a: "" }],
    invalid: [{ a: 1 }],
  },
  nested: {
    type: Type.Object({ a: Type.Object({ b: Type.Array(Type.Object({ c: Type.Integer() })) }) }),
    valid: [{ a: { b: [{ c: 1 }] } }],
    invalid: [{ a: { b: [{}] } }],
  },
  "inherited names": {
    type: Type.Object({ constructor: Type.String(), toString: Type.Optional(Type.Integer()) }),
    valid: [{ constructor: "" }, { constructor: "", toString: 1 }],
    invalid: [{}, { constructor: 1 }],
  },
  "names that look like keywords": {
    type: Type.Object({
      properties: Type.String(),
      items: Type.Integer(),
    }),
    valid: [{ properties: "", items: 1 }],
    invalid: [{}, { properties: 1, items: 1 }],
  },
  "names that need escapes": {
    type: Type.Object({
      "a/b": Type.String(),
      "c~d": Type.String(),
      'e"f': Type.String(),
    }),
    valid: [{ "a/b": "", "c~d": "", 'e"f': "" }],
    invalid: [{ "a/b": "" }],
  },
  record: {
    // TypeBox writes `^.*$` for it, which does not match keys with a line break.
    type: Type.Record(Type.String(), Type.Integer()),
    valid: [{}, { a: 1 }],
    invalid: [{ a: "" }, { "a\nb": "" }],
  },
  "a key pattern beside properties": {
    type: Type.Object(
      { code: Type.String() },
      { patternProperties: { "^.*$": Type.Unsafe({ maxLength: 3 }) } },
    ),
    valid: [{ code: "abc" }, { code: "", other: 1 }],
    invalid: [{ code: "long" }, { code: "", other: "long" }],
  },
  "values that a type or a const narrows": {
    type: Type.Unsafe({
      anyOf: [
        { type: "integer", enum: [1, 2.5, "one"] },
        { type: ["number", "null"], enum: [3.5, "a", null] },
        { const: "b", enum: ["c"] },
        { const: "d", type: "string", enum: ["d", "e"] },
      ],
    }),
    valid: [1, 3.5, null, "d"],
    invalid: [2.5, "one", "a", "b", "c", "e"],
  },
  "no remaining values": {
    type: Type.Unsafe({
      oneOf: [
        { type: "string", enum: [1] },
        { const: 1, enum: [2] },
      ],
    }),
    valid: [],
    invalid: [1, 2, "1"],
  },
  "definitions of the root and of a type with an id": {
    type: Type.Unsafe({
      $defs: { x: { type: "string" }, "a/b~c %": { type: "boolean" } },
      definitions: { x: { type: "null" } },
      type: "object",
      properties: {
        root: { $ref: "#/$defs/x" },
        other: { $ref: "#/definitions/x" },
        escaped: { $ref: "#/$defs/a~1b~0c%20%25" },
        nested: { $defs: { x: { type: "number" } }, allOf: [{ $ref: "#/$defs/x" }] },
        resource: { $id: "r", $defs: { x: { type: "number" } }, allOf: [{ $ref: "#/$defs/x" }] },
      },
    }),
    valid: [{ root: "", other: null, escaped: true, nested: "", resource: 1 }],
    invalid: [{ root: 1 }, { other: "" }, { escaped: "" }, { nested: 1 }, { resource: "" }],
  },
  "record of known keys": {
    type: Type.Record(Type.Union([Type.Literal("a"), Type.Literal("b")]), Type.Integer()),
    valid: [{ a: 1, b: 2 }],
    invalid: [{ a: 1 }],
  },
  "record of numbers": {
    type: Type.Record(Type.Integer(), Type.String(), { additionalProperties: false }),
    valid: [{ 1: "" }],
    invalid: [{ 1: 1 }, { a: "" }],
  },
  "property names": {
    type: Type.Object({}, { propertyNames: Type.String({ pattern: "^[a-z]+$" }) }),
    valid: [{ a: 1 }],
    invalid: [{ A: 1 }],
  },
  intersection: {
    type: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() })]),
    valid: [{ a: "", b: 1 }],
    invalid: [{ a: "" }, { b: 1 }],
  },
  "union of objects": {
    type: Type.Union([
      Type.Object({ kind: Type.Literal("a"), n: Type.Integer() }),
      Type.Object({ kind: Type.Literal("b"), s: Type.String() }),
    ]),
    valid: [
      { kind: "a", n: 1 },
      { kind: "b", s: "" },
    ],
    invalid: [{ kind: "a", s: "" }, { kind: "c" }, {}],
  },
  "one of": {
    type: Type.Unsafe({
      oneOf: [
        { type: "integer", multipleOf: 2 },
        { type: "integer", multipleOf: 3 },
      ],
    }),
    valid: [2, 3],
    invalid: [1, 6],
  },
  not: { type: Type.Unsafe({ type: "string", not: { enum: ["a"] } }), valid: ["b"], invalid: ["a", 1] },
  "an object and a list of values": {
    type: Type.Unsafe({ enum: [{ a: [1, null], b: {} }, ["x", { c: 0 }], 7, "7"] }),
    valid: [{ b: {}, a: [1, null] }, ["x", { c: 0 }], 7, "7"],
    invalid: [
      {},
      { a: [1, null] },
      { a: [1, null], b: {}, c: 1 },
      { a: [1, null], b: [] },
      { a: [1, null], c: {} },
      { a: [null, 1], b: {} },
      ["x"],
      ["x", { c: 0 }, 1],
      { 0: "x", 1: { c: 0 } },
      null,
      8,
    ],
  },
  "too many values to list": {
    type: Type.Unsafe({ enum: [...Array.from({ length: 5_000 }, (_, index) => `v${index}`), 1, { a: 1 }] }),
    valid: ["v0", "v4999", 1, { a: 1 }],
    invalid: ["v5000", "1", true, null, {}, { a: 2 }, [], ["v0"]],
  },
  "not of not of a record of numbers": {
    type: Type.Unsafe({ not: { not: integerKeys } }),
    valid: [{ "1": "x" }, {}],
    invalid: [{ a: "x" }],
  },
  "not of a type that is also used elsewhere": {
    type: Type.Cyclic({ Keys: Type.Unsafe({ ...integerKeys, minProperties: 1 }), Not: notKeys }, "Not"),
    valid: [{ a: "x" }, {}],
    invalid: [{ "1": "x" }],
  },
  "not of an item of a tuple": {
    type: Type.Unsafe({ not: { type: "array", items: [{ const: 1 }] } }),
    valid: [[2], [2, 1], 1],
    invalid: [[], [1], [1, 2]],
  },
  "not of a tuple with a rest": {
    type: Type.Unsafe({
      not: { type: "array", items: [{ const: 1 }], additionalItems: { const: 2 } },
    }),
    valid: [[2], [1, 1]],
    invalid: [[1], [1, 2]],
  },
  "not of a reference that can be expressed": {
    type: Type.Cyclic(
      { List: Type.Array(Type.Ref("List")), Not: Type.Unsafe({ not: { $ref: "List" } }) },
      "Not",
    ),
    valid: [1, [1]],
    invalid: [[], [[]]],
  },
  condition: {
    type: Type.Dependent(
      Type.Object({ a: Type.Literal(1) }),
      Type.Object({ b: Type.String() }),
      Type.Object({ c: Type.String() }),
    ),
    valid: [
      { a: 1, b: "" },
      { a: 2, c: "" },
    ],
    invalid: [{ a: 1, c: "" }, { a: 2, b: "" }, 1],
  },
  cyclic: {
    type: node,
    valid: [{ name: "a", children: [{ name: "b", children: [] }] }],
    invalid: [{ name: "a", children: [{ name: "b" }] }],
  },
  "cyclic inside": {
    type: Type.Object({ tree: node, other: Type.Optional(node) }),
    valid: [{ tree: { name: "a", children: [] } }],
    invalid: [{ tree: { name: "a", children: [1] } }],
  },
  "two cyclic types, beside one with a similar name": {
    type: Type.Object({
      a: node,
      b: Type.Cyclic(
        {
          "Node!": Type.Object({ next: Type.Union([Type.Ref("Node_"), Type.Null()]) }),
          Node_: Type.Array(Type.Ref("Node!")),
        },
        "Node!",
      ),
    }),
    valid: [{ a: { name: "", children: [] }, b: { next: [{ next: null }] } }],
    invalid: [{ a: { name: "", children: [] }, b: { next: [{ name: "" }] } }],
  },
  "cyclic with a description": {
    type: Type.Object({ tree: Type.Intersect([node], { description: "A tree" }) }),
    valid: [{ tree: { name: "a", children: [] } }],
    invalid: [{ tree: {} }],
  },
  annotated: {
    type: Type.Object(
      { a: Type.String({ description: "A", examples: ["x"], deprecated: true, "x-order": 1 }) },
      { $id: "a", title: "T", description: "D", examples: [{ a: "x" }], $comment: "C" },
    ),
    valid: [{ a: "x" }],
    invalid: [{}],
  },
  "the same id": {
    type: Type.Object({ b: Type.String() }, { $id: "a" }),
    valid: [{ b: "x" }],
    invalid: [{}],
  },
  defaults: {
    type: Type.Object({
      a: Type.Integer({ default: 1 }),
      b: Type.Optional(Type.String({ default: "b" })),
      c: Type.Object({ d: Type.Boolean({ default: true }) }),
    }),
    valid: [{ c: {} }, { a: 2, b: "", c: { d: false } }],
    invalid: [{}, { a: "", c: {} }],
  },
};
