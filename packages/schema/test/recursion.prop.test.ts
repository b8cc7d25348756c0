import { DecernError } from "@decern/core";
import { Ajv } from "ajv";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it, vi } from "vitest";
import { typebox } from "../src/index.js";

const numRuns = Number(process.env["DECERN_PROP_RUNS"] ?? 50);
vi.setConfig({ testTimeout: 180_000 + numRuns * 200 });

type Json = Readonly<Record<string, unknown>>;

const conditional = ["if", "then", "else"];

/** Types that refer to themselves and to one another, in every keyword that holds a schema. */
const definitions = fc.letrec<{ part: Json; inside: Json; leaf: Json }>((tie) => ({
  leaf: fc.constantFrom<Json>(
    { type: "number" },
    { type: "string" },
    { const: null },
    { type: "object", required: ["n"] },
  ),
  /** A step into the value, after which any type may follow. */
  inside: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(tie("part"), fc.boolean()).map(([n, needed]) => ({
        type: "object",
        properties: { n },
        ...(needed ? { required: ["n"] } : {}),
      })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie("part"), tie("part"))
        .map(([n, tag]) => ({ type: "object", properties: { n, tag } })),
    },
    fc
      .tuple(tie("part"), tie("part"))
      .map(([n, any]) => ({ type: "object", properties: { n }, patternProperties: { "^n": any } })),
    tie("part").map((additionalProperties) => ({ type: "object", additionalProperties })),
    tie("part").map((items) => ({ type: "array", items })),
    fc.tuple(tie("part"), tie("part")).map(([items, contains]) => ({ type: "array", items, contains })),
    tie("part").map((item) => ({ type: "array", items: [item], additionalItems: item })),
  ),
  part: fc.oneof(
    { maxDepth: 3 },
    { weight: 1, arbitrary: tie("leaf") },
    { weight: 3, arbitrary: fc.constantFrom<Json>({ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }) },
    { weight: 2, arbitrary: tie("inside") },
    {
      weight: 2,
      arbitrary: fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    },
    fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf })),
    tie("part").map((not) => ({ not })),
    fc
      .tuple(tie("part"), tie("part"), tie("part"))
      .map(([test, yes, no]) =>
        Object.fromEntries([test, yes, no].map((schema, index) => [conditional[index], schema])),
      ),
  ),
}));

/** Ways to wrap a value in another. */
const wrapped = fc.constantFrom<(inner: unknown) => unknown>(
  (inner) => ({ n: inner }),
  (inner) => ({ n: inner, tag: 1 }),
  (inner) => ({ tag: "x", n: inner }),
  (inner) => [inner],
  (inner) => [inner, 1],
  (inner) => ({ other: inner }),
);

const cases = fc.record({
  a: fc.oneof(
    definitions.inside,
    fc.tuple(definitions.inside, definitions.inside, definitions.leaf).map((anyOf) => ({ anyOf })),
  ),
  b: fc.oneof(
    definitions.inside,
    fc.tuple(definitions.inside, definitions.inside).map((allOf) => ({ allOf })),
  ),
  /** Repeats the same ways, to make the value as deep as the type can follow. */
  ways: fc.array(wrapped, { minLength: 1, maxLength: 2 }),
  end: fc.constantFrom<unknown>(1, "x", null, {}, []),
});

function nestedIn(ways: readonly ((inner: unknown) => unknown)[], end: unknown, depth: number): unknown {
  let value = end;
  for (let level = 0; level < depth; level += 1)
    value = (ways[level % ways.length] ?? ((inner) => inner))(value);
  return value;
}

/** A value that counts how often it is read. */
function counted(value: unknown, count: { reads: number; readonly limit: number }): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map((item) => counted(item, count))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, counted(item, count)]));
  const read = (): void => {
    count.reads += 1;
    if (count.reads > count.limit) throw new Error(`more than ${count.limit} reads`);
  };
  return new Proxy(inner, {
    get: (target, key, receiver) => {
      read();
      return Reflect.get(target, key, receiver);
    },
    has: (target, key) => {
      read();
      return Reflect.has(target, key);
    },
    ownKeys: (target) => {
      read();
      return Reflect.ownKeys(target);
    },
  });
}

type Validate = (value: unknown) => { readonly issues?: readonly unknown[] | undefined };

/** The type with the two definitions, or `undefined` if it is refused because it would never end. */
function validatorOf(a: Json, b: Json): Validate | undefined {
  try {
    const { validate } = typebox(Type.Unsafe({ $defs: { A: a, B: b }, $ref: "#/$defs/A" }))["~standard"];
    return (value) => {
      const result = validate(value);
      if (result instanceof Promise) throw new Error("a promise");
      return result;
    };
  } catch (error) {
    if (error instanceof DecernError && JSON.stringify(error.problems).includes("never ends"))
      return undefined;
    throw error;
  }
}

/** Plain AJV. */
function plain(a: Json, b: Json): (value: unknown) => boolean {
  return new Ajv({ strict: false }).compile({ $defs: { A: a, B: b }, $ref: "#/$defs/A" });
}

/** How often each part of a type may read one level of a value, to judge it and to explain what is wrong. */
const readsPerPart = 8;

/** The number of objects in a schema. */
function partsOf(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  return Object.values(schema).reduce<number>((parts, inner) => parts + partsOf(inner), 1);
}

describe("a type that refers to itself", () => {
  it("agrees with AJV, and reads a value a number of times proportional to its size", () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(cases, ({ a, b, ways, end }) => {
        const validate = validatorOf(a, b);
        fc.pre(validate !== undefined);
        const expected = plain(a, b);
        for (const depth of [0, 1, 2, 3, 6]) {
          const value = nestedIn(ways, end, depth);
          const valid = expected(value);
          if (valid) accepted += 1;
          else refused += 1;
          expect(validate(value).issues === undefined, `depth ${depth}`).toBe(valid);
        }
        const depth = 600;
        const count = { reads: 0, limit: readsPerPart * partsOf([a, b]) * depth };
        // Throws above the limit. Without one, the worst of these would never end.
        validate(counted(nestedIn(ways, end, depth), count));
      }),
      { numRuns },
    );
    // The schemas must accept and refuse some of the values.
    expect(accepted).toBeGreaterThan(numRuns / 4);
    expect(refused).toBeGreaterThan(numRuns / 4);
  });
});
