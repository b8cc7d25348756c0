import { defineDecision, evaluate } from "@decern/core";
import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { extractDecisionSchema, toJsonSchema, typebox } from "../src/index.js";

/** Pointer, keyword and message of each issue. */
function issuesOf(type: TSchema, value: unknown): readonly (readonly (string | undefined)[])[] {
  const result = typebox(type)["~standard"].validate(value);
  if (result instanceof Promise || result.issues === undefined) return [];
  return result.issues.map(({ pointer, keyword, message }) => [pointer, keyword, message]);
}

describe("validate", () => {
  it("returns the same value when there is nothing to fill in", () => {
    const value = { a: 1, extra: { kept: true } };
    const result = typebox(Type.Object({ a: Type.Integer() }))["~standard"].validate(value);
    expect(result).toEqual({ value: { a: 1, extra: { kept: true } } });
    expect(Object.keys(result)).toEqual(["value"]);
    expect("value" in result && result.value).toBe(value);
  });

  it("says the same of each failing place, whatever failed there before", () => {
    const type = Type.Object(
      { a: Type.Integer({ minimum: 1, maximum: 9 }), b: Type.Integer({ minimum: 2 }), c: Type.String() },
      { additionalProperties: false },
    );
    const schema = typebox(type)["~standard"];
    const values = [
      { a: 0, b: 1, c: "" },
      { a: 10, b: 2, d: 1 },
      { a: "1", c: "", e: 1 },
      { b: 2.5, c: 1 },
    ];
    const expected = [
      ["/a must be at least 1", "/b must be at least 2"],
      ["/a must be at most 9", "/c is required", "/d is not an allowed property"],
      ["/a must be an integer", "/b is required", "/e is not an allowed property"],
      ["/a is required", "/b must be an integer", "/c must be a string"],
    ];
    for (const [index, value] of [...values.entries(), ...values.entries()]) {
      const result = schema.validate(value);
      const issues = "issues" in result ? (result.issues ?? []) : [];
      expect(issues.map(({ pointer, message }) => `${pointer} ${message}`).sort()).toEqual(expected[index]);
    }
  });

  it.each([
    [Type.Integer(), "5"],
    [Type.Boolean(), "true"],
    [Type.String(), 5],
    [Type.Null(), ""],
    [Type.Array(Type.String()), "a"],
  ])("coerces nothing", (type, value) => {
    expect(issuesOf(type, value)).toHaveLength(1);
  });

  it("fills in defaults at every depth, on a copy", () => {
    const type = Type.Object({
      a: Type.Integer({ default: 1 }),
      list: Type.Array(Type.Object({ b: Type.Optional(Type.Array(Type.String(), { default: ["x"] })) })),
    });
    const value = Object.freeze({ list: Object.freeze([Object.freeze({})]) });
    const { validate } = typebox(type)["~standard"];
    expect(validate(value)).toEqual({ value: { a: 1, list: [{ b: ["x"] }] } });
    expect(value).toEqual({ list: [{}] });
    const [first, second] = [validate(value), validate(value)];
    // Two results do not share a default: a rule that changed one would change the other.
    expect("value" in first && first.value).not.toBe("value" in second && second.value);
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  });

  it("copies own properties of any name, and keeps objects that are not plain data", () => {
    const type = Type.Object({ a: Type.Integer({ default: 1 }) });
    const value: Record<string, unknown> = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"b":1}}',
    );
    value["when"] = new Date(0);
    const result = typebox(type)["~standard"].validate(value);
    const copy = "value" in result ? result.value : {};
    expect(Object.keys(copy).sort()).toEqual(["__proto__", "a", "constructor", "when"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).toHaveProperty("when", value["when"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("also copies an instance of a class before filling in a default", () => {
    class Applicant {
      readonly name = "x";
    }
    const applicant = new Applicant();
    const result = typebox(Type.Object({ age: Type.Integer({ default: 1 }) }))["~standard"].validate(
      applicant,
    );
    expect("value" in result && result.value).toBeInstanceOf(Applicant);
    expect(result).toMatchObject({ value: { name: "x", age: 1 } });
    expect(applicant).not.toHaveProperty("age");
  });

  it("distinguishes inherited members from properties that were sent", () => {
    const type = Type.Object({ valueOf: Type.Optional(Type.String()), hasOwnProperty: Type.Integer() });
    expect(issuesOf(type, {})).toEqual([["/hasOwnProperty", "required", "is required"]]);
    expect(issuesOf(type, { hasOwnProperty: 1 })).toEqual([]);
  });

  it.each([
    ["const", Type.Unsafe({ const: { a: 1 } })],
    ["enum", Type.Unsafe({ enum: [{ a: 1 }, [{ a: 1 }]] })],
  ])("calls no function of the caller's value when it compares it with a %s", (keyword, type) => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const sent: unknown = JSON.parse(`{ "${name}": "x" }`);
      expect(issuesOf(type, sent), name).toEqual([["", keyword, expect.stringMatching(/^must be /)]]);
      expect(issuesOf(type, [sent]), name).toHaveLength(1);
    }
    const same = Type.Unsafe({ [keyword]: keyword === "const" ? { valueOf: 1 } : [{ valueOf: 1 }] });
    expect(issuesOf(same, { valueOf: 1 })).toEqual([]);
    expect(issuesOf(same, { valueOf: 2 })).toHaveLength(1);
  });

  it("treats a property called $ref as a property", () => {
    const type = Type.Object({ $ref: Type.String() });
    expect(issuesOf(type, { $ref: 1 })).toEqual([["/$ref", "type", "must be a string"]]);
  });

  it("reports a value that is nested too deeply, for any recursive type", () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 50_000; depth += 1) deep = { next: deep };
    const node = Type.Object({ next: Type.Optional(Type.Ref("Node")) });
    expect(issuesOf(Type.Cyclic({ Node: node }, "Node"), deep)).toEqual([
      ["", "depth", "is nested too deeply"],
    ]);
    const copied = Type.Object({ a: Type.Integer({ default: 1 }) });
    expect(issuesOf(copied, deep)).toEqual([["", "depth", "is nested too deeply"]]);
    expect(issuesOf(Type.Array(Type.Any(), { uniqueItems: true }), [deep])).toEqual([
      ["", "depth", "is nested too deeply"],
    ]);
  });
});

it.each([Type.Any(), Type.Unknown(), Type.Unsafe<unknown>({ description: "Anything" })])(
  "an output type that accepts anything does not accept what JSON leaves out",
  (type) => {
    const emitting = (data: unknown) =>
      defineDecision({
        id: "any",
        version: "1",
        inputSchema: typebox(Type.Object({})),
        outputSchema: typebox(type),
        profileSchema: typebox(Type.Object({})),
        rules: [{ id: "r", when: () => true, emit: () => data }],
      });
    for (const data of [undefined, () => 1, Symbol("s")]) {
      expect(() => evaluate(emitting(data), {})).toThrow(/which JSON leaves out/);
    }
    expect(evaluate(emitting(null), {})).toMatchObject({ status: "OK", data: null });
  },
);

describe("issues", () => {
  it.each<[TSchema, unknown, string, string, string]>([
    [Type.Object({ a: Type.String() }), {}, "/a", "required", "is required"],
    [Type.Integer(), 1.5, "", "type", "must be an integer"],
    [Type.Integer({ minimum: 18 }), 17, "", "minimum", "must be at least 18"],
    [Type.Integer({ maximum: 18 }), 19, "", "maximum", "must be at most 18"],
    [Type.Number({ exclusiveMinimum: 0 }), 0, "", "exclusiveMinimum", "must be more than 0"],
    [Type.Number({ exclusiveMaximum: 1 }), 1, "", "exclusiveMaximum", "must be less than 1"],
    [Type.Number({ multipleOf: 5 }), 3, "", "multipleOf", "must be a multiple of 5"],
    [Type.String({ minLength: 1 }), "", "", "minLength", "must have at least 1 character"],
    [Type.String({ maxLength: 2 }), "abc", "", "maxLength", "must have at most 2 characters"],
    [Type.String({ pattern: "^a$" }), "b", "", "pattern", "must match the pattern ^a$"],
    [Type.String({ format: "email" }), "b", "", "format", "must be an email address"],
    [Type.Literal("a"), "b", "", "const", 'must be "a"'],
    [Type.Enum(["a", "b"]), "c", "", "enum", 'must be one of "a", "b"'],
    [Type.Union([Type.Literal("a"), Type.Literal(2)]), "c", "", "enum", 'must be one of "a", 2'],
    [Type.Union([Type.Literal("a"), Type.Null()]), "c", "", "enum", 'must be one of "a", null'],
    [Type.Union([Type.String(), Type.Null()]), 1, "", "type", "must be a string or null"],
    [Type.Unsafe({ type: ["string", "null"] }), 1, "", "type", "must be a string or null"],
    [Type.Array(Type.Any(), { minItems: 2 }), [1], "", "minItems", "must have at least 2 items"],
    [Type.Array(Type.Any(), { maxItems: 1 }), [1, 2], "", "maxItems", "must have at most 1 item"],
    [
      Type.Array(Type.Any(), { uniqueItems: true }),
      [1, 1],
      "",
      "uniqueItems",
      "must not have the same item twice",
    ],
    [
      Type.Object({}, { additionalProperties: false }),
      { "a/b": 1 },
      "/a~1b",
      "additionalProperties",
      "is not an allowed property",
    ],
    [Type.Object({}, { minProperties: 1 }), {}, "", "minProperties", "must not be empty"],
    [
      Type.Object({}, { maxProperties: 1 }),
      { a: 1, b: 1 },
      "",
      "maxProperties",
      "must have at most 1 property",
    ],
    [
      Type.Object({}, { propertyNames: Type.String({ maxLength: 1 }) }),
      { ab: 1 },
      "/ab",
      "propertyNames",
      "is not an allowed property name",
    ],
    [
      Type.Array(Type.Any(), { contains: Type.Object({ a: Type.Integer() }) }),
      [{ a: "x" }],
      "",
      "contains",
      "must have at least one item of the required kind",
    ],
    [Type.Never(), 1, "", "not", "is not allowed"],
    [Type.Intersect([Type.Object({}), Type.Object({})]), null, "", "type", "must be an object"],
    [
      Type.Object({ a: Type.Object({ b: Type.Array(Type.Integer()) }) }),
      { a: { b: [1, "x"] } },
      "/a/b/1",
      "type",
      "must be an integer",
    ],
  ])("of %j have one path, keyword and expectation each", (type, value, pointer, keyword, message) => {
    expect(issuesOf(type, value)).toEqual([[pointer, keyword, message]]);
  });

  it("have a path as Standard Schema requires", () => {
    const result = typebox(Type.Object({ "a/b": Type.Array(Type.String()) }))["~standard"].validate({
      "a/b": [1],
    });
    expect("issues" in result && result.issues?.map(({ path }) => path)).toEqual([["a/b", "0"]]);
    const root = typebox(Type.String())["~standard"].validate(1);
    expect("issues" in root && root.issues?.map(({ path }) => path)).toEqual([[]]);
  });

  it("name every failing field, but never the value", () => {
    const type = Type.Object({
      name: Type.String({ maxLength: 3 }),
      role: Type.Enum(["admin", "user"]),
      tags: Type.Array(Type.Union([Type.String({ pattern: "^x" }), Type.Integer()])),
    });
    const secret = "hunter2secret";
    const issues = issuesOf(type, { name: secret, role: secret, tags: [secret] });
    expect(issues.map(([pointer]) => pointer)).toEqual(["/name", "/role", "/tags/0"]);
    expect(JSON.stringify(issues)).not.toContain(secret);
  });
});

describe("issues of unions", () => {
  const shape = Type.Object({
    shape: Type.Union([
      Type.Object({ kind: Type.Literal("circle"), radius: Type.Number({ minimum: 0 }) }),
      Type.Object({ kind: Type.Enum(["square", "cube"]), side: Type.Number(), colour: Type.String() }),
    ]),
  });

  it.each([
    [{ kind: "circle", radius: -1 }, [["/shape/radius", "minimum", "must be at least 0"]]],
    [
      { kind: "cube" },
      [
        ["/shape/side", "required", "is required"],
        ["/shape/colour", "required", "is required"],
      ],
    ],
    [{ kind: "line" }, [["/shape/kind", "enum", 'must be one of "circle", "square", "cube"']]],
    [{ radius: 1 }, [["/shape/kind", "required", "is required"]]],
    ["circle", [["/shape", "type", "must be an object"]]],
  ])("with a discriminator are those of the selected branch: %j", (value, expected) => {
    expect(issuesOf(shape, { shape: value })).toEqual(expected);
  });

  it("are those of the only branch with that type", () => {
    const type = Type.Union([Type.Object({ a: Type.Integer() }), Type.Array(Type.Integer()), Type.Null()]);
    expect(issuesOf(type, { a: "x" })).toEqual([["/a", "type", "must be an integer"]]);
    expect(issuesOf(type, [1, "x"])).toEqual([["/1", "type", "must be an integer"]]);
  });

  it("are a single one when the branches have no discriminator", () => {
    const type = Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]);
    const vague = [["", "anyOf", "must match one of the 2 allowed forms"]];
    expect(issuesOf(type, { c: 1 })).toEqual(vague);
    const objects = Type.Union([
      Type.Object({ at: Type.Unsafe({ const: { x: 1 } }), a: Type.Integer() }),
      Type.Object({ at: Type.Unsafe({ const: { x: 2 } }), b: Type.Integer() }),
    ]);
    expect(issuesOf(objects, { at: { x: 1 }, b: 1 })).toEqual(vague);
  });

  it("follow recursive types", () => {
    const tree = Type.Cyclic(
      {
        Tree: Type.Union([
          Type.Object({ kind: Type.Literal("leaf"), value: Type.Integer() }),
          Type.Object({ kind: Type.Literal("node"), children: Type.Array(Type.Ref("Tree")) }),
        ]),
      },
      "Tree",
    );
    const value = {
      kind: "node",
      children: [
        { kind: "leaf", value: 1 },
        { kind: "node", children: [{ kind: "leaf" }] },
      ],
    };
    expect(issuesOf(tree, value)).toEqual([["/children/1/children/0/value", "required", "is required"]]);
  });
});

describe("toJsonSchema", () => {
  const type = Type.Object({
    a: Type.Integer({ default: 1 }),
    b: Type.Optional(Type.String({ default: "" })),
    c: Type.String(),
  });

  it("accepts a type or a schema of the port", () => {
    const expected = {
      type: "object",
      properties: {
        a: { type: "integer", default: 1 },
        b: { type: "string", default: "" },
        c: { type: "string" },
      },
      required: ["c"],
    };
    expect(toJsonSchema(type)).toEqual(expected);
    expect(toJsonSchema(typebox(type))).toEqual(expected);
  });

  it("makes properties with a default optional in the input and required in the output", () => {
    expect(toJsonSchema(type, "input")["required"]).toEqual(["c"]);
    expect(toJsonSchema(type, "output")["required"]).toEqual(["c", "a", "b"]);
  });

  it("refuses an unknown dialect", () => {
    const { jsonSchema } = typebox(type)["~standard"];
    expect(() => jsonSchema.input({ target: "draft-03" })).toThrow(
      /"draft-03" is not supported; use draft-07 or draft-2020-12/,
    );
  });

  it("returns a copy: changing it does not affect validation", () => {
    const schema = typebox(Type.Object({ a: Type.Enum(["x"]), b: Type.Integer({ minimum: 5 }) }));
    const exported = JSON.parse(JSON.stringify(schema["~standard"].jsonSchema.input({ target: "draft-07" })));
    const given: Record<string, unknown> = schema["~standard"].jsonSchema.input({ target: "draft-07" });
    const change = (object: unknown): void => {
      if (typeof object !== "object" || object === null) return;
      for (const inner of Object.values(object)) change(inner);
      for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
    };
    change(given);
    expect(schema["~standard"].jsonSchema.input({ target: "draft-07" })).toEqual(exported);
    expect(schema["~standard"].validate({ a: "y", b: 5 })).toHaveProperty("issues");
  });

  it("keeps definitions where the other packages expect them", () => {
    const list = Type.Cyclic(
      { "my list": Type.Object({ next: Type.Optional(Type.Ref("my list")) }) },
      "my list",
    );
    const next = { $ref: "#/definitions/my_list" };
    expect(toJsonSchema(list, "input", "draft-07")).toMatchObject({
      type: "object",
      properties: { next },
      definitions: { my_list: { type: "object", properties: { next } } },
    });
    expect(toJsonSchema(list, "input", "draft-2020-12")).toMatchObject({
      properties: { next: { $ref: "#/$defs/my_list" } },
      $defs: { my_list: { properties: { next: { $ref: "#/$defs/my_list" } } } },
    });
  });
});

describe("extractDecisionSchema", () => {
  it("returns the three schemas of a decision", () => {
    const decision = defineDecision({
      id: "d",
      version: "1",
      inputSchema: typebox(Type.Object({ role: Type.Union([Type.Literal("a"), Type.Literal("b")]) })),
      outputSchema: typebox(Type.Object({ ok: Type.Boolean() })),
      profileSchema: typebox(Type.Object({ min: Type.Integer({ default: 3 }) })),
      rules: [{ id: "r", when: (_input, profile) => profile.min === 3, emit: () => ({ ok: true }) }],
    });
    expect(extractDecisionSchema(decision)).toEqual({
      id: "d",
      version: "1",
      inputSchema: {
        type: "object",
        properties: { role: { type: "string", enum: ["a", "b"] } },
        required: ["role"],
      },
      outputSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
      profileSchema: { type: "object", properties: { min: { type: "integer", default: 3 } }, required: [] },
    });
    expect(evaluate(decision, { role: "a" })).toMatchObject({ status: "OK", data: { ok: true } });
    const refused = evaluate(decision, { role: "c" } as unknown);
    expect(refused).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "/role", keyword: "enum", message: 'must be one of "a", "b"' }],
    });
  });
});
