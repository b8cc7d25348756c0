import { type Decision, defineDecision, type Schema } from "@decern/core";
import { scope, type } from "arktype";
import { z } from "zod";
import { plainSchema } from "./plain-schema.js";

/** A decision with this input schema. Its output and profile are simple. */
export function decisionOf(
  id: string,
  inputSchema: Schema,
  outputSchema: Schema = z.object({ yes: z.boolean() }),
): Decision {
  return defineDecision({
    id,
    version: "1.0.0",
    inputSchema,
    outputSchema,
    profileSchema: z.object({ limit: z.number().optional() }),
    rules: [{ id: "always", when: () => true, emit: () => ({}) }],
  });
}

const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category).optional();
  },
});

const arktypes = scope({ pkg: { name: "string", "deps?": "pkg[]" } }).export();

/** One decision for each kind of schema, and decisions whose ids would collide. */
export const zoo: readonly Decision[] = [
  defineDecision({
    id: "loan-approval",
    version: "1.2.0",
    description: "Whether, and at which rate, a <b>loan</b> is granted",
    meta: { owner: "credit-risk", tags: ["money"] },
    inputSchema: z.object({
      amount: z
        .number()
        .gt(0)
        .meta({ examples: [25_000] }),
      score: z
        .int()
        .min(300)
        .max(850)
        .meta({ description: "FICO & <i>kin</i>", examples: [700] }),
      purpose: z.enum(["car", "home"]).default("home"),
    }),
    outputSchema: z.object({ approved: z.boolean(), rate: z.number() }),
    profileSchema: z.object({ minScore: z.int().default(620), maxAmount: z.number().default(50_000) }),
    rules: [{ id: "always", when: () => true, emit: () => ({ approved: true, rate: 4.9 }) }],
  }),
  decisionOf(
    "unions",
    z.object({
      scalar: z.union([z.string(), z.number()]),
      literals: z.union([z.literal(1), z.literal("a"), z.null()]),
      level: z.union([z.literal("low"), z.literal("high")]),
      shape: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("circle"), radius: z.number() }),
        z.object({ kind: z.literal("square"), side: z.number() }),
      ]),
    }),
  ),
  decisionOf(
    "nullable",
    z.object({
      text: z.string().nullable(),
      choice: z.enum(["x", "y"]).nullable(),
      nothing: z.null(),
      object: z.object({ a: z.number() }).nullable(),
      list: z.array(z.string().nullable()).nullable(),
      category: Category.nullable(),
    }),
  ),
  decisionOf(
    "tuples",
    z.object({
      pair: z.tuple([z.string(), z.number()]),
      rest: z.tuple([z.string()]).rest(z.number()),
      alike: z.tuple([z.number(), z.number()]),
    }),
  ),
  decisionOf(
    "records",
    z.object({
      scores: z.record(z.string(), z.number()),
      byChoice: z.record(z.enum(["a", "b"]), z.number()),
      open: z.looseObject({ a: z.string() }),
      closed: z.strictObject({ a: z.string() }),
      anything: z.unknown(),
    }),
  ),
  decisionOf("recursive", Category, z.object({ left: Category, right: Category })),
  decisionOf(
    "formats",
    z.object({
      mail: z.email(),
      id: z.uuid(),
      at: z.iso.datetime(),
      day: z.iso.date(),
      link: z.url(),
      count: z.int(),
      share: z.number().gt(0).lt(1).multipleOf(0.01),
      blob: z.base64(),
      never: z.never().optional(),
      short: z
        .string()
        .min(2)
        .max(5)
        .regex(/^[a-z]+$/),
    }),
  ),
  decisionOf(
    "defaults",
    z.object({
      text: z.string().default("x"),
      nested: z.object({ a: z.number().default(3) }).prefault({}),
      list: z.array(z.string()).default(["a"]),
    }),
  ),
  decisionOf(
    "named",
    z
      .object({ money: z.object({ cents: z.int() }).meta({ id: "Money", title: "Money" }) })
      .meta({ id: "Root" }),
  ),
  decisionOf(
    "arktype",
    type({
      "a?": "string | null",
      n: "number > 5",
      pair: ["string", "number"],
      lit: "'x' | 'y' | null",
      list: "string[] > 0",
    }),
  ),
  decisionOf("arktype-recursive", arktypes.pkg),
  decisionOf(
    "plain-draft-07",
    plainSchema({
      "draft-07": {
        $schema: "http://json-schema.org/draft-07/schema#",
        $comment: "kept out",
        type: "object",
        properties: {
          many: { type: ["string", "integer", "null"], minLength: 2, minimum: 3 },
          one: { const: "only" },
          none: { const: null },
          mixed: { enum: ["a", 1, null, true] },
          tuple: {
            type: "array",
            items: [{ type: "string" }, { type: ["number", "null"] }],
            additionalItems: false,
            minItems: 2,
          },
          byPattern: {
            type: "object",
            patternProperties: { "^x-": { type: "number" } },
            additionalProperties: false,
          },
          record: { type: "object", patternProperties: { "^.*$": { type: "boolean" } } },
          between: { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2 },
          bare: { type: "array" },
          yes: true,
          no: false,
          conditional: {
            type: "string",
            not: { minLength: 9 },
            if: { minLength: 2 },
            else: { pattern: "^a" },
            contentMediaType: "text/plain",
          },
          node: { $ref: "#/definitions/Node%2F1", description: "With a sibling" },
          deep: { $ref: "#/properties/between" },
          readonly: { type: "string", readOnly: true },
          __proto__x: { type: "string" },
        },
        required: ["one", "elsewhere"],
        definitions: {
          "Node/1": {
            type: "object",
            properties: { next: { anyOf: [{ $ref: "#/definitions/Node~11" }, { type: "null" }] } },
          },
        },
      },
    }),
  ),
  decisionOf(
    "literals",
    plainSchema({
      "draft-07": {
        type: "object",
        properties: {
          none: { const: null },
          noneOrNothing: { enum: [null] },
          yes: { const: true },
          either: { enum: [true, false] },
          number: { enum: [0, -1, 1.5, 1e21, 1e-7] },
          integer: { type: "integer", const: -3 },
          text: {
            enum: ["", " ", "it's", 'say "x"', "a\\b", "`x`", "*/", "<b>", "日本", "null", "__proto__"],
          },
          alike: { enum: ["a", "A", "a-b", "a_b", "1", "-1"] },
          object: { const: { a: 1, "b-c": { d: null, e: ["x"] } } },
          objects: { enum: [{ kind: "a" }, { kind: "b" }, {}] },
          list: { const: ["a", 1] },
          everything: { enum: [{ a: true }, ["a"], "a", 1, false, null] },
          textOrNone: { enum: ["a", null] },
          numberOrNone: { enum: [1, null] },
          yesOrNone: { enum: [true, null] },
          objectOrNone: { enum: [{ a: 1 }, null] },
          listOrNone: { enum: [["a"], null] },
          union: { anyOf: [{ const: "a" }, { const: 1 }, { const: null }, { const: { a: 1 } }] },
          referenceOrNone: { anyOf: [{ $ref: "#/definitions/Text" }, { const: null }] },
          nones: { type: "array", items: { $ref: "#/definitions/None" } },
          record: { type: "object", additionalProperties: { const: null } },
        },
        required: ["none", "text", "union"],
        definitions: { Text: { const: "text" }, None: { const: null } },
      },
    }),
    plainSchema({ "draft-07": { const: null } }),
  ),
  decisionOf("a-b", z.object({ dash: z.string() })),
  decisionOf("a_b", z.object({ underscore: z.string() })),
  decisionOf("a.b", z.object({ dot: z.string() })),
  decisionOf("aB", z.object({ camel: z.string() })),
  decisionOf("AB2", z.object({ number: z.string() })),
  decisionOf("evaluate", z.object({ itself: z.string() })),
  decisionOf("Error", z.object({ code: z.string() })),
  decisionOf("no-match", z.object({ any: z.string() })),
  decisionOf("invalid-input", z.object({ any: z.string() })),
  decisionOf("loan-approval-input", z.object({ any: z.string() })),
  decisionOf("__proto__", z.object({ proto: z.string() })),
  decisionOf("constructor", z.object({ ctor: z.string() })),
  decisionOf("toString", z.object({ any: z.string() })),
  decisionOf("2fa", z.object({ any: z.string() })),
  decisionOf("~", z.object({ tilde: z.string() })),
  decisionOf("...", z.object({ dots: z.string() })),
  decisionOf("schema", z.object({ any: z.string() })),
];

export const info = {
  title: "Zoo",
  version: "1.0.0",
  description: "Every kind of schema",
  contact: { name: "Keeper", url: "https://zoo.example/keeper", email: "keeper@zoo.example" },
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
} as const;
