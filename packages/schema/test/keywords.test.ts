import type { TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { KEYWORDS } from "../src/dialect/keywords.js";
import { typebox } from "../src/index.js";

type Cases = readonly (readonly [
  schema: object | boolean,
  valid: readonly unknown[],
  invalid: readonly unknown[],
])[];

/** The meaning of each keyword by the JSON Schema specification (validation, draft-07), including types it does not apply to. */
const assertions: Readonly<Record<string, Cases>> = {
  type: [
    [{ type: "integer" }, [1, 1.0, -3, 1e300], [1.1, "1", null, true, [], {}]],
    [{ type: "number" }, [1, 1.1, -0], ["1", null, false, [], {}]],
    [{ type: "string" }, ["", "1"], [1, null, true, [], {}]],
    [{ type: "object" }, [{}, { type: "array" }], [[], null, "", 0]],
    [{ type: "array" }, [[], [null]], [{}, { length: 0 }, null, ""]],
    [{ type: "boolean" }, [true, false], [0, 1, "", "true", null]],
    [{ type: "null" }, [null], [0, "", false, {}, []]],
    [{ type: ["integer", "string"] }, [1, "a"], [1.5, null, {}]],
    [
      { type: ["object", "null"], properties: { a: { type: "null" } } },
      [{}, null, { a: null }],
      [[], { a: 1 }],
    ],
  ],
  const: [
    [{ const: 2 }, [2, 2.0], [5, "2", null]],
    [{ const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 3 }, { a: 1, b: 2 }, []]],
    [{ const: [{ a: 1 }] }, [[{ a: 1 }]], [[], [1], [{ a: 1 }, 1], { 0: { a: 1 } }]],
    [{ const: null }, [null], [0, "", false]],
    [{ const: false }, [false], [0, [], [false], null]],
    [{ const: 0 }, [0, -0], [false, "", "0", [0]]],
    [{ const: "a\u0000b" }, ["a\u0000b"], ["ab", "a"]],
    [{ const: { false: false } }, [{ false: false }], [{ false: 0 }, {}]],
  ],
  enum: [
    [{ enum: [1, 2, 3] }, [1, 3], [4, "1"]],
    [
      { enum: [6, "foo", [], true, { foo: 12 }] },
      [6, [], { foo: 12 }, true],
      [null, [1], {}, { foo: 12, b: 1 }, 1],
    ],
    [{ enum: [false] }, [false], [0, [false]]],
    [{ enum: [[1]] }, [[1]], [[true], [], 1]],
    [{ enum: ["a", null] }, ["a", null], ["null", undefined]],
  ],
  minimum: [[{ minimum: 1.1 }, [1.1, 2, "x", null], [1.0999, 0, -5]]],
  maximum: [[{ maximum: 3 }, [3, 2.9, -1e308, "x"], [3.0001, 4]]],
  exclusiveMinimum: [[{ exclusiveMinimum: 1.1 }, [1.2, "x"], [1.1, 0]]],
  exclusiveMaximum: [[{ exclusiveMaximum: 3 }, [2.2, "x"], [3, 3.5]]],
  multipleOf: [
    [{ multipleOf: 2 }, [10, 0, -4, "foo"], [7, -1, 0.5]],
    [{ multipleOf: 1.5 }, [0, 4.5, -3], [35]],
    [{ multipleOf: 0.0001 }, [0.0075], [0.00751]],
    [{ type: "integer", multipleOf: 0.5 }, [1e308], [0.5]],
    [{ type: "integer", multipleOf: 0.123456789 }, [0], [1e308]],
    [{ type: "integer", multipleOf: 1e-8 }, [12391239123], []],
    [{ multipleOf: 0.01 }, [0.07, 19.99, 1000], [0.075]],
  ],
  minLength: [[{ minLength: 2 }, ["foo", "fo", 100, "\u{1F4A9}\u{1F4A9}"], ["f", "", "\u{1F4A9}"]]],
  maxLength: [[{ maxLength: 2 }, ["f", "fo", 100, "\u{1F4A9}\u{1F4A9}"], ["foo"]]],
  pattern: [
    [{ pattern: "^a*$" }, ["aaa", "", 123, null, {}, []], ["abc"]],
    [{ type: "string", pattern: "a{2}" }, ["xxaayy"], ["xay"]],
    [{ pattern: "^\\p{Lu}$" }, ["Ä"], ["ä"]],
    [{ pattern: "^.$" }, ["\u{1F432}"], ["\n", "ab"]],
  ],
  format: [
    [{ format: "date" }, ["1963-06-19", 12, null], ["1963-02-30", "06/19/1963"]],
    [{ format: "ipv4" }, ["192.168.0.1", {}], ["256.256.256.256", "127.0"]],
    [{ format: "uuid" }, ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08"]],
  ],
  items: [
    [{ items: { type: "integer" } }, [[1, 2], [], { foo: "bar" }, "x"], [[1, "x"]]],
    [{ items: true }, [[1, "x"]], []],
    [{ items: false }, [[], "x"], [[1]]],
    [
      { items: [{ type: "integer" }, { type: "string" }] },
      [[1, "foo"], [1], [1, "foo", true], []],
      [["foo", 1]],
    ],
    [{ items: [true, false] }, [[1], []], [[1, "foo"]]],
    [{ items: { items: { type: "number" } } }, [[[1], []]], [[["1"]]]],
    [{ items: { type: "null" } }, [[null]], [[[null]]]],
  ],
  additionalItems: [
    [{ items: [{}], additionalItems: { type: "integer" } }, [[null, 2, 3], [null]], [[null, 2, "foo"]]],
    [{ items: [{}, {}], additionalItems: false }, [[1, 2], [1]], [[1, 2, 3]]],
    [{ items: [], additionalItems: false }, [[]], [[1]]],
    [{ items: [], additionalItems: { type: "null" } }, [[], [null]], [[1]]],
    [{ items: { type: "integer" }, additionalItems: false }, [[1, 2, 3]], [["x"]]],
    [{ additionalItems: false }, [[1, 2]], []],
  ],
  contains: [
    [{ contains: { minimum: 5 } }, [[3, 4, 5], [5], "x", {}], [[2, 3], []]],
    [{ contains: { const: 5 } }, [[5, 5]], [[4]]],
    [{ contains: true }, [["foo"]], [[]]],
    [{ contains: false }, ["x"], [["foo"], []]],
    [{ items: { multipleOf: 2 }, contains: { multipleOf: 3 } }, [[6, 12]], [[2, 4], [3, 9], [1]]],
  ],
  minItems: [[{ minItems: 1 }, [[1], [1, 2], "", {}], [[]]]],
  maxItems: [[{ maxItems: 2 }, [[1], [], "foobar"], [[1, 2, 3]]]],
  uniqueItems: [
    [
      { uniqueItems: true },
      [[1, 2], [1, true], [0, false], [1, "1"], [{ a: 1 }, { a: true }], [[1], [true]], [{}, [], null], "aa"],
      [
        [1, 1],
        [1.0, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [[["a"]], [["a"]]],
        [null, null],
        ["a", "b", "a"],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
  ],
  properties: [
    [{ properties: { foo: { type: "integer" } } }, [{ foo: 1 }, { bar: "x" }, {}, [], 12], [{ foo: "x" }]],
    [{ properties: { foo: true, bar: false } }, [{}, { foo: 1 }], [{ bar: 2 }, { foo: 1, bar: 2 }]],
    [
      { properties: { "foo\nbar": { type: "number" }, 'foo"bar': { type: "number" } } },
      [{ "foo\nbar": 1 }],
      [{ 'foo"bar': "1" }],
    ],
    [
      { properties: { toString: { type: "string" }, constructor: { type: "number" } } },
      [{}, { toString: "x" }],
      [{ toString: 1 }, { constructor: "x" }],
    ],
  ],
  required: [
    [{ required: ["foo"] }, [{ foo: 1 }, { foo: null }, [], "", 12], [{ bar: 1 }, {}]],
    [{ required: [] }, [{}], []],
    [
      { required: ["toString", "__proto__"] },
      [JSON.parse('{"toString":1,"__proto__":1}')],
      [{}, { toString: 1 }],
    ],
  ],
  patternProperties: [
    [
      { patternProperties: { "^f.{0,3}o": { type: "integer" } } },
      [{ foo: 1 }, { bar: "x" }, [], "foo"],
      [{ foo: "bar" }, { foo: 1, foooooo: "x" }],
    ],
    [
      { patternProperties: { "^a": { type: "integer" }, "^aa": { maximum: 20 } } },
      [{ a: 21 }, { aa: 18 }],
      [{ a: "x" }, { aa: 31 }],
    ],
    [{ patternProperties: { "^f": true, "^b": false } }, [{ foo: 1 }, {}], [{ bar: 2 }]],
    [
      { properties: { code: { type: "string" } }, patternProperties: { "^.*$": { maxLength: 3 } } },
      [{ code: "abc" }],
      [{ code: "toolong" }, { other: "toolong" }],
    ],
    [{ patternProperties: { "^.*$": { type: "integer" } } }, [{ a: 1, "a\nb": "x" }], [{ a: "x" }]],
  ],
  additionalProperties: [
    [
      { properties: { foo: {}, bar: {} }, patternProperties: { "^v": {} }, additionalProperties: false },
      [{ foo: 1 }, { foo: 1, vroom: 2 }, [], "foo"],
      [{ foo: 1, quux: "x" }, JSON.parse('{"__proto__":1}')],
    ],
    [
      { properties: { foo: {} }, additionalProperties: { type: "boolean" } },
      [{ foo: 1, b: true }],
      [{ quux: 12 }],
    ],
    [{ additionalProperties: { type: "boolean" } }, [{ foo: true }], [{ foo: 1 }]],
    [{ properties: { foo: {} }, additionalProperties: true }, [{ bar: 1 }], []],
    [
      { allOf: [{ properties: { foo: {} } }], additionalProperties: { type: "boolean" } },
      [{ foo: true }],
      [{ foo: 1 }],
    ],
  ],
  propertyNames: [
    [{ propertyNames: { maxLength: 3 } }, [{ f: 1, foo: 2 }, {}, [1, 2, 3, 4], "foobar"], [{ foobar: 1 }]],
    [{ propertyNames: true }, [{ foo: 1 }], []],
    [{ propertyNames: false }, [{}], [{ foo: 1 }]],
    [{ propertyNames: { enum: ["a"] } }, [{ a: 1 }], [{ b: 1 }]],
  ],
  minProperties: [[{ minProperties: 1 }, [{ foo: 1 }, [], "", 12], [{}]]],
  maxProperties: [[{ maxProperties: 1 }, [{ foo: 1 }, {}, [1, 2, 3]], [{ foo: 1, bar: 2 }]]],
  allOf: [
    [
      { allOf: [{ required: ["bar"] }, { properties: { foo: { type: "string" } } }] },
      [{ foo: "x", bar: 1 }],
      [{ foo: "x" }, { foo: 1, bar: 1 }],
    ],
    [{ allOf: [true, false] }, [], ["foo", null]],
    [
      { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
      [30],
      [2, 3, 5, 6, 10, 15],
    ],
  ],
  anyOf: [
    [{ anyOf: [{ type: "integer" }, { minimum: 2 }] }, [1, 2.5, 3], [1.5]],
    [{ type: "string", anyOf: [{ maxLength: 2 }, { minLength: 4 }] }, ["fo", "foobar"], [3, "foo"]],
    [{ anyOf: [true, false] }, ["foo"], []],
    [{ anyOf: [false, false] }, [], ["foo"]],
    [{ anyOf: [{ type: "integer", enum: [1, 2.5] }, { const: 3 }] }, [1, 3], [2.5, 2]],
    [{ anyOf: [{ type: "number", enum: ["a", 1] }, { const: "b" }] }, [1, "b"], ["a"]],
    [{ anyOf: [{ const: "a", enum: ["c"] }, { const: "b" }] }, ["b"], ["a", "c"]],
  ],
  oneOf: [
    [{ oneOf: [{ type: "integer" }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
    [{ oneOf: [true, true] }, [], ["foo"]],
    [{ oneOf: [true, false, false] }, ["foo"], []],
    [{ oneOf: [{ const: 1 }, { enum: [1, 2] }] }, [2], [1, 3]],
    [{ oneOf: [{ enum: ["a", 1], type: "string" }, { const: 1 }] }, ["a", 1], ["b"]],
  ],
  not: [
    [{ not: { type: "integer" } }, ["foo", 1.5], [1]],
    [{ not: {} }, [], [1, null, {}]],
    [{ not: true }, [], [1, null]],
    [{ not: false }, [1, null], []],
    [{ not: { not: { type: "string" } } }, ["x"], [1]],
  ],
  $ref: [
    [{ $defs: { a: { type: "integer" } }, $ref: "#/$defs/a" }, [1], ["x"]],
    [{ definitions: { a: { type: "integer" } }, $ref: "#/definitions/a" }, [1], ["x"]],
    // Keywords beside a reference apply, as in draft 2020-12.
    [
      { $defs: { a: { type: "array" } }, properties: { foo: { $ref: "#/$defs/a", maxItems: 2 } } },
      [{ foo: [1] }],
      [{ foo: [1, 2, 3] }, { foo: 1 }],
    ],
    [
      { $defs: { a: true, b: false }, properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/b" } } },
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { type: "null" } }, $ref: "#/$defs/a" }, [null], [1]],
    [{ $defs: { list: { $id: "list", items: { $ref: "list" } } }, $ref: "list" }, [[], [[], [[]]]], []],
    [
      {
        $defs: { tree: { required: ["v"], properties: { next: { $ref: "#/$defs/tree" } } } },
        $ref: "#/$defs/tree",
      },
      [{ v: 1, next: { v: 2 } }],
      [{ v: 1, next: {} }],
    ],
    [{ properties: { $ref: { type: "string" } } }, [{ $ref: "a" }], [{ $ref: 2 }]],
    [
      {
        $defs: { "a/b": { type: "integer" }, "c~d": { type: "string" }, "e%f": { type: "null" } },
        items: [{ $ref: "#/$defs/a~1b" }, { $ref: "#/$defs/c~0d" }, { $ref: "#/$defs/e%25f" }],
      },
      [[1, "x", null]],
      [["x"], [1, 1], [1, "x", 1]],
    ],
    [{ const: { $ref: "#/$defs/a" } }, [{ $ref: "#/$defs/a" }], [{ $ref: 1 }]],
  ],
};

/** As text, because an object with `then` is sometimes taken for a promise. */
const conditions: readonly (readonly [
  text: string,
  valid: readonly unknown[],
  invalid: readonly unknown[],
])[] = [
  ['{"if":{"const":0}}', [0, 1], []],
  ['{"then":{"const":0}}', [0, 1], []],
  ['{"else":{"const":0}}', [0, 1], []],
  ['{"if":{"exclusiveMaximum":0},"then":{"minimum":-10}}', [-1, 5], [-100]],
  ['{"if":{"exclusiveMaximum":0},"else":{"multipleOf":2}}', [-1, 4], [3]],
  ['{"if":{"exclusiveMaximum":0},"then":{"minimum":-10},"else":{"multipleOf":2}}', [-1, 4], [-100, 3]],
  ['{"if":true,"then":{"const":"then"},"else":{"const":"else"}}', ["then"], ["else"]],
  ['{"if":false,"then":{"const":"then"},"else":{"const":"else"}}', ["else"], ["then"]],
];

/** Keywords that describe values but refuse none. */
const annotations: Readonly<Record<string, unknown>> = {
  $comment: "c",
  $defs: { unused: false },
  $id: "https://example.com/a",
  $schema: "http://json-schema.org/draft-07/schema#",
  contentEncoding: "base64",
  contentMediaType: "application/json",
  default: 1,
  definitions: { unused: false },
  deprecated: true,
  description: "d",
  example: 1,
  examples: [1],
  readOnly: true,
  title: "t",
  writeOnly: true,
};

function accepts(schema: object | boolean, value: unknown): boolean {
  const type: TSchema = Object(schema) === schema ? Object(schema) : JSON.parse(String(schema));
  return !("issues" in typebox(type)["~standard"].validate(value));
}

describe.each(Object.entries(assertions))("%s", (_keyword, cases) => {
  it.each(cases)("%j", (schema, valid, invalid) => {
    expect(valid.filter((value) => !accepts(schema, value))).toEqual([]);
    expect(invalid.filter((value) => accepts(schema, value))).toEqual([]);
  });
});

it.each(conditions)("%s", (text, valid, invalid) => {
  const schema: object = JSON.parse(text);
  expect(valid.filter((value) => !accepts(schema, value))).toEqual([]);
  expect(invalid.filter((value) => accepts(schema, value))).toEqual([]);
});

describe("a type that is true or false", () => {
  it("allows everything, or nothing", () => {
    for (const value of [null, 0, "", {}, []]) {
      expect(accepts(true, value)).toBe(true);
      expect(accepts(false, value)).toBe(false);
      expect(accepts({ properties: { a: false } }, { a: value })).toBe(false);
    }
  });
});

it.each(Object.entries(annotations))("%s refuses nothing", (keyword, value) => {
  for (const sent of [null, 0, "", "not base64!", {}, [], { unused: 1 }]) {
    expect(accepts({ [keyword]: value }, sent), JSON.stringify(sent)).toBe(true);
  }
});

it("has cases for every supported keyword", () => {
  const taken = [...KEYWORDS].filter(([, { value }]) => typeof value === "string").map(([name]) => name);
  const conditional = ["if", "then", "else"];
  expect([...Object.keys(assertions), ...Object.keys(annotations), ...conditional].sort()).toEqual(
    taken.sort(),
  );
});
