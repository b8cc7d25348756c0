import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineDecision, evaluate, type Schema } from "../src/index.js";

/** Only validation matters here, and Valibot itself does not write JSON Schema. */
function withoutJsonSchema(schema: v.GenericSchema): Schema {
  const { version, vendor, validate } = schema["~standard"];
  const jsonSchema = { input: () => ({}), output: () => ({}) };
  return { "~standard": { version, vendor, validate, jsonSchema } };
}

/** Schemas that refuse most values, each with every constraint whose message quotes values. */
const schemas: Readonly<Record<string, Schema>> = {
  Zod: z.strictObject({
    pick: z.enum(["one", "two"]),
    literal: z.literal("only"),
    text: z.string().min(300).max(400),
    email: z.email(),
    number: z.number().gt(777).lt(888),
    flag: z.boolean(),
    either: z.union([z.literal("left"), z.literal("right"), z.object({ deep: z.literal("x y") })]),
    list: z.array(z.literal("item")).min(20),
    trimmed: z
      .string()
      .trim()
      .pipe(z.enum(["one", "two"])),
    own: z.unknown().superRefine((value, context) => {
      context.addIssue({ code: "custom", message: `Cannot use ${JSON.stringify(value)} here` });
    }),
  }),
  Valibot: withoutJsonSchema(
    v.strictObject({
      pick: v.picklist(["one", "two"]),
      literal: v.literal("only"),
      text: v.pipe(v.string(), v.minLength(300), v.maxLength(400)),
      email: v.pipe(v.string(), v.email()),
      number: v.pipe(v.number(), v.gtValue(777), v.ltValue(888)),
      flag: v.boolean(),
      either: v.union([v.literal("left"), v.literal("right"), v.object({ deep: v.literal("x y") })]),
      list: v.pipe(v.array(v.literal("item")), v.minLength(20)),
      trimmed: v.pipe(v.string(), v.trim(), v.toLowerCase(), v.picklist(["one", "two"])),
      own: v.pipe(
        v.any(),
        v.check(
          () => false,
          ({ input }) => `Cannot use ${JSON.stringify(input)} here`,
        ),
      ),
    }),
  ),
  ArkType: type({
    pick: "'one' | 'two'",
    literal: "'only'",
    text: "300 <= string <= 400",
    email: "string.email",
    number: "777 < number < 888",
    flag: "boolean",
    either: type("'left' | 'right'").or({ deep: "'x y'" }),
    list: "'item'[] >= 20",
    own: "number % 999",
    "+": "reject",
  }),
};

const names = ["pick", "literal", "text", "email", "number", "flag", "either", "list", "trimmed", "own"];

/** None of these occurs in the schemas. */
const text = fc.oneof(
  fc.constantFrom(
    "B-",
    "Z",
    "q7",
    "7",
    "42",
    "x@",
    "qq",
    "ÄÖ",
    "9.5",
    "-3",
    "zq zq",
    "Q, received W",
    "K (was J)",
  ),
  fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("Q", "J", "W", "9", "#", "ß") }),
  fc.string({ minLength: 9, maxLength: 40, unit: fc.constantFrom("Q", "J", "W", "9", '"', "\\", "\n", "'") }),
);
const number = fc.constantFrom(0, 1, 7, 42, -5, 9.5, 1234567, 1e21, 1e-7);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.record({ deep: scalar }));

/** The ways to write a value. Each must be a separate word in the text. */
function writings(value: unknown): readonly RegExp[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(writings);
  const texts = [String(value), JSON.stringify(value) ?? ""];
  return texts
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map(
      (one) =>
        new RegExp(
          `(?<![\\p{L}\\p{N}_])${one.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\p{L}\\p{N}_])`,
          "iu",
        ),
    );
}

describe.each(Object.entries(schemas))("a message of %s", (_vendor, inputSchema) => {
  const decision = defineDecision({
    id: "vendor",
    version: "1.0.0",
    inputSchema,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: [{ id: "any", when: () => true, emit: () => ({}) }],
  });
  const errorsFor = (input: unknown) => {
    const result = evaluate(decision, input);
    return result.status === "INVALID_INPUT" ? result.errors : [];
  };

  it("never contains a value that was sent, however short", () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.record(Object.fromEntries(names.map((name) => [name, value]))), (input) => {
        for (const { path, message } of errorsFor(input)) {
          const sent: unknown = Reflect.get(input, path.split("/")[1] ?? "");
          seen += 1;
          for (const writing of writings(sent)) {
            // If another value results in the same message, the message does not quote the value.
            if (saidOfOthers.has(message)) continue;
            expect(message, JSON.stringify([path, sent])).not.toMatch(writing);
          }
        }
      }),
    );
    expect(seen).toBeGreaterThan(300);
  });

  // None of these is among the values above.
  const others = [{ other: "o" }, "something else", 55_555, undefined, []];
  const saidOfOthers = new Set(
    others
      .map((other) => Object.fromEntries(names.map((name) => [name, other])))
      .flatMap((input) => errorsFor(input).map(({ message }) => message)),
  );

  it("says what is expected if the vendor does", () => {
    const input = { pick: "B-", literal: true, text: "ab", number: 777, flag: null };
    const messages = Object.fromEntries(errorsFor(input).map(({ path, message }) => [path, message]));
    expect(messages).toMatchObject({
      "/pick": expect.stringMatching(/one.*two/),
      // The value equals the limit, which comes from the schema.
      "/number": expect.stringContaining("777"),
      "/flag": expect.stringMatching(/boolean/),
    });
  });
});
