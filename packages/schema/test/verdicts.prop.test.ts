import { DecernError } from "@decern/core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import Value from "typebox/value";
import { expect, it, vi } from "vitest";
import { typebox } from "../src/index.js";
import { scalars, typesOf, values } from "./generators.js";

// Each run compiles a type three times. Set DECERN_PROP_RUNS for more runs.
const numRuns = Number(process.env["DECERN_PROP_RUNS"] ?? 40);
vi.setConfig({ testTimeout: 60_000 + numRuns * 2_000 });

/** Plain AJV, configured only for JSON. */
function ajvOf(type: TSchema): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv({ strict: false, strictNumbers: true, ownProperties: true, logger: false });
  addFormats.default(ajv);
  try {
    const check = ajv.compile(JSON.parse(JSON.stringify(type)));
    return (value) => check(value);
  } catch {
    // AJV does not accept a type with an `$id` twice, so there is no verdict.
    return undefined;
  }
}

const literals = ["x", "y", "", 0, 1, 2.5, -1, true, false, null] as const;

/** Schemas as people or tools write them, rather than as TypeBox does. */
function handWritten(inner: fc.Arbitrary<TSchema>): fc.Arbitrary<TSchema> {
  const literal = fc.constantFrom(...literals);
  const type = fc.oneof(
    fc.constantFrom("integer", "number", "string", "null", "boolean", "object"),
    fc.uniqueArray(fc.constantFrom("integer", "number", "string", "null", "object"), { minLength: 1 }),
  );
  const branch = fc.record(
    { type, const: literal, enum: fc.uniqueArray(literal, { minLength: 1, maxLength: 4 }) },
    { requiredKeys: [] },
  );
  const branches = fc.array(branch, { minLength: 1, maxLength: 3 });
  const keys = fc.constantFrom("^.*$", "^a", "b$", "^[ab]$", "/");
  return fc.oneof(
    branches.map((anyOf) => ({ anyOf })),
    branches.map((oneOf) => ({ oneOf })),
    fc.tuple(branch, branches).map(([schema, anyOf]) => ({ ...schema, anyOf })),
    fc.tuple(branch, branch).map(([one, other]) => ({ allOf: [one, other] })),
    fc
      .record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(fc.constantFrom("a", "b"), inner, { noNullPrototype: true }),
          patternProperties: fc.dictionary(keys, inner, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
          required: fc.uniqueArray(fc.constantFrom("a", "b", "constructor")),
        },
        { requiredKeys: [] },
      )
      .map((schema) => schema),
    fc
      .record(
        {
          items: fc.oneof(fc.boolean(), inner, fc.array(fc.oneof(fc.boolean(), inner), { maxLength: 2 })),
          additionalItems: fc.oneof(fc.boolean(), inner),
          maxItems: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: [] },
      )
      .map((schema) => schema),
    fc.dictionary(fc.constantFrom("if", "then", "else", "not"), fc.oneof(fc.boolean(), inner), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  );
}

/** Values related to the type: one that TypeBox creates for it, and variants that differ in one part. */
function near(type: TSchema, changes: readonly unknown[]): readonly unknown[] {
  let made: unknown;
  try {
    made = Value.Create(type);
  } catch {
    return [];
  }
  return [made, ...changes.flatMap((change) => variants(made, change))];
}

function variants(value: unknown, change: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, at) => variants(item, change).map((other) => value.with(at, other)));
    return [change, [...value, change], value.slice(1), ...inner];
  }
  if (typeof value !== "object" || value === null) return [change];
  const entries = Object.entries(value);
  return [
    { ...value, a: change },
    { ...value, other: change },
    ...entries.map(([name]) => Object.fromEntries(entries.filter(([key]) => key !== name))),
    ...entries.flatMap(([name, part]) =>
      variants(part, change).map((other) => ({ ...value, [name]: other })),
    ),
  ].slice(0, 40);
}

/** Values that parsers, clients and attackers send. */
const hostile: readonly unknown[] = [
  JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1},"a":"x"}'),
  JSON.parse('{"constructor":"x","b":null}'),
  -0,
  2 ** 53,
  "\u{1F600}\u{1F600}",
  "\uD800",
  "\u0000",
  [[[[[]]]]],
  [{}, {}, []],
  { a: { a: { a: {} } }, "": 0 },
];

/**
 * Numbers whose multiples AJV and TypeBox get wrong: AJV reads the exponent of 5e307 as a new number, and TypeBox
 * treats everything below 1e-10 as zero. multiple-of.prop.test.ts checks these.
 */
const extremeNumbers: readonly unknown[] = [1e308, 5e-324];

/** TypeBox treats inherited members as if they had been sent. */
const inherited = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})"`);

/** Compares the three validators on types and values, and counts the comparisons. */
function compare(
  types: fc.Arbitrary<TSchema>,
  samples: fc.Arbitrary<readonly unknown[]>,
  numRuns: number,
): Readonly<Record<"accepted" | "refused" | "ajv" | "typebox", number>> {
  const seen = { accepted: 0, refused: 0, ajv: 0, typebox: 0 };
  const changes = fc.array(fc.oneof(scalars, values), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(types, samples, changes, (type, samples, changes) => {
      const validate = validatorOf(type);
      if (validate === undefined) return;
      const text = JSON.stringify(type);
      const ajv = ajvOf(type);
      // TypeBox takes a required property that is missing for one of `undefined`, which any `not` may accept.
      const knowsOwn = !inherited.test(text) && !text.includes('"not"');
      if (ajv !== undefined) seen.ajv += 1;
      const extremes = text.includes('"multipleOf"') ? [] : extremeNumbers;
      for (const value of [...samples, ...near(type, changes), ...hostile, ...extremes]) {
        const valid = validate(value);
        const where = `${text} ${JSON.stringify(value)}`;
        if (ajv !== undefined) expect(ajv(value), `AJV: ${where}`).toBe(valid);
        if (knowsOwn && !inherited.test(JSON.stringify(value))) {
          expect(Value.Check(type, value), `TypeBox: ${where}`).toBe(valid);
          seen.typebox += 1;
        }
        seen[valid ? "accepted" : "refused"] += 1;
      }
    }),
    { numRuns },
  );
  return seen;
}

it("agrees with AJV and TypeBox on types that TypeBox creates", () => {
  const samples = fc.array(values, { minLength: 10, maxLength: 10 });
  const seen = compare(typesOf(true), samples, numRuns);
  // The test must cover all cases.
  expect(seen.accepted).toBeGreaterThan(numRuns / 5);
  expect(seen.refused).toBeGreaterThan(numRuns / 5);
  expect(seen.ajv).toBeGreaterThan(numRuns / 10);
  expect(seen.typebox).toBeGreaterThan(numRuns / 5);
});

it("agrees with AJV and TypeBox on types written by hand", () => {
  const inner = fc.constantFrom<TSchema>(
    Type.String({ maxLength: 1 }),
    Type.Integer(),
    Type.Null(),
    Type.Unsafe({ maxLength: 1 }),
    Type.Object({ a: Type.Integer() }),
  );
  const part = fc.constantFrom<unknown>("x", "xy", "", 1, 2.5, -1, null, true, {}, [], { a: 1 });
  const object = fc.dictionary(fc.constantFrom("a", "b", "ab", "c/d"), part, { noNullPrototype: true });
  const list = fc.array(part, { maxLength: 3 });
  const samples = fc
    .array(fc.oneof(object, list), { minLength: 15, maxLength: 15 })
    .map((some) => [...literals, ...some]);
  const seen = compare(handWritten(inner), samples, numRuns * 4);
  expect(seen.accepted).toBeGreaterThan(numRuns / 5);
  expect(seen.refused).toBeGreaterThan(numRuns / 5);
  expect(seen.ajv).toBeGreaterThan(numRuns / 5);
  expect(seen.typebox).toBeGreaterThan(numRuns / 5);
});

/** The verdicts of `typebox`, or `undefined` if it refuses the type. */
function validatorOf(type: TSchema): ((value: unknown) => boolean) | undefined {
  try {
    const { validate } = typebox(type)["~standard"];
    return (value) => !("issues" in validate(value));
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_DECISION") return undefined;
    throw error;
  }
}

/** Definitions with the same name in two places, referenced from both, with every possible spelling. */
function references(): readonly (readonly [TSchema, boolean])[] {
  const names = [
    "x",
    "a/b",
    "a~b",
    "a~0b",
    "a~1b",
    "a b",
    "%",
    "a%20b",
    "a%2Fb",
    "ä",
    '"',
    "#",
    "constructor",
    "",
  ];
  const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
  const ways = [
    (name: string) => name,
    escaped,
    encodeURIComponent,
    (name: string) => encodeURIComponent(escaped(name)),
  ];
  return names.flatMap((name) =>
    ways.flatMap((write, way) =>
      [{}, { $id: "part" }].flatMap((id) =>
        ["$defs", "definitions"].map((container): readonly [TSchema, boolean] => {
          const to = { $ref: `#/$defs/${write(name)}` };
          const type = {
            [container]: { [name]: { type: "string" } },
            properties: {
              a: { ...to, title: "A", maxLength: 2 },
              b: { ...id, $defs: { [name]: { type: "number" } }, items: to },
            },
          };
          // As RFC 6901 requires.
          return [type, way === 3 && container === "$defs" && name !== "constructor"];
        }),
      ),
    ),
  );
}

it("resolves references as AJV and TypeBox do", () => {
  const samples: readonly unknown[] = ["x", "xyz", 1, null].flatMap((part) => [{ a: part }, { b: [part] }]);
  let defined = 0;
  for (const [type, wellWritten] of references()) {
    const validate = validatorOf(type);
    const text = JSON.stringify(type);
    // Only misspelt references may be refused.
    if (wellWritten) expect(validate, text).toBeDefined();
    if (validate === undefined) continue;
    defined += 1;
    const ajv = ajvOf(type);
    expect(ajv, text).toBeDefined();
    for (const value of samples) {
      const where = `${text} ${JSON.stringify(value)}`;
      expect(ajv?.(value), `AJV: ${where}`).toBe(validate(value));
      expect(Value.Check(type, value), `TypeBox: ${where}`).toBe(validate(value));
    }
  }
  expect(defined).toBeGreaterThan(20);
});
