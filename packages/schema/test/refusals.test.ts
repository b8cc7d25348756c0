import { DecernError, defineDecision } from "@decern/core";
import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { typebox } from "../src/index.js";

function problemsOf(type: TSchema): readonly string[] {
  try {
    typebox(type);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    expect(error.code).toBe("INVALID_DECISION");
    return error.problems.map(({ path, message }) => `${path} ${message}`);
  }
  return [];
}

const raw = (schema: object): TSchema => schema;

describe("typebox refuses at definition", () => {
  it.each<[string, TSchema, RegExp]>([
    ["BigInt", Type.BigInt(), /^ is a BigInt, which JSON cannot carry/],
    ["Undefined", Type.Undefined(), /is a Undefined/],
    ["Void", Type.Void(), /is a Void/],
    ["Symbol", Type.Symbol(), /is a Symbol/],
    ["Function", Type.Function([], Type.String()), /is a Function/],
    ["Constructor", Type.Constructor([], Type.String()), /is a Constructor/],
    [
      "Codec",
      Type.Codec(Type.String())
        .Decode((text) => new Date(text))
        .Encode((date) => date.toISOString()),
      /is a codec/,
    ],
    ["Refine", Type.Refine(Type.String(), (text) => text !== ""), /has a refinement/],
    [
      "a schema that is already wrapped",
      raw(typebox(Type.String())),
      /^ is already a schema, not a TypeBox type/,
    ],
    ["an unknown type", raw({ type: "date" }), /^\/type must be one of/],
    ["a misspelt keyword", Type.Integer({ minimun: 18 }), /^\/minimun is not a known keyword/],
    [
      "a keyword that every object inherits",
      raw({ constructor: 1 }),
      /^\/constructor is not a known keyword/,
    ],
    [
      "a bound that is a string",
      Type.Integer({ minimum: Number("x") }),
      /^\/minimum must be a finite number/,
    ],
    ["a negative length", Type.String({ minLength: -1 }), /^\/minLength must be an integer/],
    ["a multiple of zero", Type.Number({ multipleOf: 0 }), /^\/multipleOf must be a number above 0/],
    ["a keyword of another type", Type.String({ minimum: 1 }), /^\/minimum does not apply to type string/],
    ["an invalid pattern", Type.String({ pattern: "(" }), /^\/pattern is not a valid regular expression/],
    ["a pattern with flags", Type.String({ pattern: /a/i }), /^\/pattern has flags/],
    ["an unknown format", Type.String({ format: "postcode" }), /^\/format is not a known format/],
    ["a slow format", Type.String({ format: "url" }), /^\/format is not a known format; use "uri"/],
    [
      "a format of another type",
      Type.Integer({ format: "email" }),
      /^\/format does not apply to type integer/,
    ],
    ["an empty enum", raw({ enum: [] }), /^\/enum must list/],
    ["an enum of values that are not JSON", raw({ enum: [new Date(0)] }), /^\/enum must be JSON/],
    ["an empty union", raw({ anyOf: [] }), /^\/anyOf must list/],
    ["required twice", raw({ required: ["a", "a"] }), /^\/required must be a list of different/],
    [
      "a required property with an empty name",
      Type.Object({ "": Type.String() }),
      /^\/required must be a list of .*non-empty/,
    ],
    ["a value that is not a type", Type.Object({ a: raw([]) }), /^\/properties\/a must be a type/],
    ["properties that are not an object", raw({ properties: [] }), /^\/properties must be an object/],
    [
      "a reference to nothing",
      Type.Object({ "a/b": Type.Ref("Nope") }),
      /^\/properties\/a~1b\/\$ref refers to "Nope"/,
    ],
    [
      "a pointer to a definition that is not in the root",
      raw({ properties: { p: { $defs: { x: {} }, $ref: "#/$defs/x" } } }),
      /^\/properties\/p\/\$ref .* is not a definition of the root or of the nearest enclosing \$id/,
    ],
    [
      "a pointer to the other kind of definitions",
      raw({ definitions: { x: {} }, $ref: "#/$defs/x" }),
      /refers to/,
    ],
    [
      "a pointer out of a type with an id",
      raw({ $defs: { x: {} }, properties: { p: { $id: "p", allOf: [{ $ref: "#/$defs/x" }] } } }),
      /refers to/,
    ],
    ["a pointer with an invalid escape", raw({ $defs: { "a/b": {} }, $ref: "#/$defs/a/b" }), /refers to/],
    [
      "a pointer that is not escaped enough",
      raw({ $defs: { "a~0b": {} }, $ref: "#/$defs/a~0b" }),
      /refers to/,
    ],
    ["a pointer with an encoded slash", raw({ $defs: { "a/b": {} }, $ref: "#/$defs/a%2Fb" }), /refers to/],
    ["a pointer with invalid encoding", raw({ $defs: { "%": {} }, $ref: "#/$defs/%" }), /refers to/],
    [
      "a name without a matching $id",
      raw({ $defs: { x: {} }, $ref: "x" }),
      /^\/\$ref refers to "x", which is not the \$id of an enclosing definition/,
    ],
    [
      "a name that is read as a URI",
      raw({ $defs: { x: { $id: "a/b" } }, $ref: "a/b" }),
      /a name must not contain/,
    ],
    [
      "two types with the same name, one of them referenced",
      Type.Object({
        a: Type.Cyclic({ Node: Type.Array(Type.Ref("Node")) }, "Node"),
        b: Type.String({ $id: "Node" }),
      }),
      /^ has different types named "Node"; rename one/,
    ],
    ["an $id that is a fragment", raw({ $id: "#a" }), /^\/\$id must be a name, or a URI without #/],
    [
      "Type.Unsafe of false",
      Type.Array(Type.Unsafe(JSON.parse("false"))),
      /^\/items is Type\.Unsafe without a schema/,
    ],
    ["a reference to the root", Type.This(), /refers to "#"/],
    ["dependencies", raw({ dependentRequired: { a: ["b"] } }), /^\/dependentRequired is not supported/],
    ["a keyword that draft-07 does not have", raw({ unevaluatedProperties: false }), /Type\.Evaluate/],
    ["__proto__ as a property", raw({ properties: JSON.parse('{"__proto__":{}}') }), /cannot be the name/],
    ["a default that is not JSON", raw({ default: () => 1 }), /^\/default must be JSON/],
    [
      "a default that does not match its own type",
      Type.Object({ a: Type.Object({ b: Type.Integer({ default: "x" }) }) }),
      /^\/properties\/a\/properties\/b\/default does not match its own schema: must be an integer/,
    ],
    [
      "a default in a union",
      Type.Union([Type.Object({ a: Type.Integer({ default: 1 }) }), Type.Object({ b: Type.String() })]),
      /has a default inside a union/,
    ],
    [
      "a default in a definition that a union refers to",
      Type.Cyclic(
        {
          Node: Type.Object({
            size: Type.Integer({ default: 1 }),
            next: Type.Union([Type.Ref("Node"), Type.Null()]),
          }),
        },
        "Node",
      ),
      /has a default inside a union/,
    ],
    [
      "a default in a tuple",
      Type.Tuple([Type.Integer({ default: 1 })]),
      /which cannot be filled in for an item of a tuple/,
    ],
    [
      "a default for a member that every object inherits",
      Type.Object({ toString: Type.String({ default: "x" }) }),
      /cannot have a default/,
    ],
    [
      "a type that requires itself",
      Type.Cyclic({ A: Type.Union([Type.Ref("A"), Type.String()]) }, "A"),
      /refers to itself without a property or item in between/,
    ],
  ])("%s", (_name, type, problem) => {
    const problems = problemsOf(type);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it("an object that contains itself, instead of recursing forever", () => {
    const loop: Record<string, unknown> = { type: "object" };
    loop["properties"] = { loop };
    expect(problemsOf(raw(loop)).join()).toMatch(/is nested too deeply/);
  });

  it("every problem at once, each with its path", () => {
    const type = Type.Object({ a: Type.BigInt(), b: Type.Array(Type.String({ maxlength: 1 })) });
    expect(problemsOf(type).map((problem) => problem.split(" ")[0])).toEqual([
      "/properties/a",
      "/properties/b/items/maxlength",
    ]);
  });

  it("literals that JSON does not have", () => {
    expect(problemsOf(Type.Literal(5n)).join()).toMatch(/\/const must be JSON/);
  });

  it("options that do not exist", () => {
    expect(() => typebox(Type.String(), JSON.parse('{"coerce":true}'))).toThrow(/coerce: is unknown/);
  });
});

describe("typebox accepts", () => {
  it("annotations, extensions, and keywords whose value is undefined", () => {
    const type = raw({
      type: "string",
      maxLength: undefined,
      "x-order": 1,
      example: "a",
      examples: ["a"],
      readOnly: true,
    });
    expect(problemsOf(type)).toEqual([]);
  });

  it("a default for a value that is always present, as an annotation", () => {
    expect(
      problemsOf(Type.Object({ list: Type.Array(Type.Integer({ default: 1 })) }, { default: {} })),
    ).toEqual([]);
  });
});

describe("defineDecision", () => {
  it("reports a type that was not wrapped, with the fix", () => {
    const define = (): unknown =>
      defineDecision({
        id: "bare",
        version: "1",
        inputSchema: Object(Type.Object({})),
        outputSchema: typebox(Type.Object({})),
        profileSchema: typebox(Type.Object({})),
        rules: [{ id: "r", when: () => true, emit: () => ({}) }],
      });
    expect(define).toThrow(/\/inputSchema.*typebox\(type\)/);
  });
});
