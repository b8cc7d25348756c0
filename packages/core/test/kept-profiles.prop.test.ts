import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Decision, defineDecision, evaluate, type Schema, withProfile } from "../src/index.js";
import { program } from "../src/tools.js";
import { vandalise, wayNames } from "./vandal.js";

/** A schema that returns the same object each time, like a vendor's that reuses its defaults. */
function answering(value: unknown): Schema {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: () => ({ value }),
      jsonSchema: { input: () => ({}), output: () => ({}) },
    },
  };
}

/** A decision whose rule returns what it reads from its profile, and then writes to everything in it. */
function vandalOf(profileSchema: Schema, ways: readonly string[]): Decision {
  return defineDecision({
    id: "vandal",
    version: "1",
    inputSchema: z.unknown(),
    outputSchema: z.any(),
    profileSchema,
    rules: [
      {
        id: "r",
        when: () => true,
        emit: (_input, profile) => {
          const read = structuredClone(profile);
          vandalise(profile, ways);
          return read;
        },
      },
    ],
  });
}

function readTwice(decision: Decision): readonly unknown[] {
  return [1, 2].map(() => {
    const result = evaluate(decision, {});
    return result.status === "OK" ? result.data : result;
  });
}

/** Nested data in which any part may be frozen, shared, or contain itself. */
const shared = { max: 1, list: [{ a: 1 }] };
const leaf = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(shared),
  fc.date({ noInvalidDate: true }),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc
    .tuple(
      fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 3 }),
        fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 2 }).map((entries) => new Map(entries)),
        fc.array(tie("value"), { maxLength: 2 }).map((members) => new Set(members)),
      ),
      fc.boolean(),
    )
    .map(([value, frozen]) => (frozen ? Object.freeze(value) : value)),
}));

describe("a default profile", () => {
  it("is the same for every evaluation, whatever a schema freezes and a rule writes to", () => {
    const ways = fc.array(fc.constantFrom(...wayNames), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(values, ways, (value, ways) => {
        const expected = structuredClone({ inside: value });
        const schema = answering(Object.freeze({ inside: value }));
        const bound = withProfile(vandalOf(schema, ways), {});
        expect(readTwice(bound)).toEqual([expected, expected]);
        // No profile is given, and the schema's defaults are kept.
        expect(readTwice(vandalOf(schema, ways))).toEqual([expected, expected]);
        expect(value).toEqual(expected.inside);
      }),
      { numRuns: 500 },
    );
    expect(shared).toEqual({ max: 1, list: [{ a: 1 }] });
  });

  it("is the same for every evaluation with Zod's readonly and with defaults that Zod shares", () => {
    const defaults = { limits: { max: 1 } };
    const limits = z.object({ limits: z.object({ max: z.number() }) });
    const profileSchema = z.object({ a: limits.readonly(), b: limits.default(defaults) }).readonly();
    const bound = withProfile(vandalOf(profileSchema, ["set"]), { a: { limits: { max: 1 } } });
    const expected = { a: defaults, b: defaults };
    expect(readTwice(bound)).toEqual([expected, expected]);
    expect(defaults).toEqual({ limits: { max: 1 } });
    // The schema author's own objects are not frozen.
    expect(Object.isFrozen(defaults.limits)).toBe(false);
  });

  it("is the same for every evaluation, including symbol keys and circular data", () => {
    const key = Symbol("key");
    const circular: Record<PropertyKey, unknown> = { [key]: { max: 1 } };
    circular["self"] = circular;
    const profileSchema = answering(Object.freeze({ circular }));
    const decision = defineDecision({
      id: "symbols",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.number(),
      profileSchema,
      rules: [
        {
          id: "r",
          when: () => true,
          emit: (_input, profile) => {
            const inside: unknown = Reflect.get(Object(Reflect.get(Object(profile), "circular")), key);
            const max: unknown = Reflect.get(Object(inside), "max");
            Reflect.set(Object(inside), "max", 2);
            return Number(max);
          },
        },
      ],
    });
    expect(readTwice(withProfile(decision, {}))).toEqual([1, 1]);
  });

  it("cannot be changed through the host", () => {
    const decision = withProfile(vandalOf(z.any(), ["set"]), { since: new Date(1), list: [1] });
    vandalise(decision[program].boundProfile, ["inside"]);
    expect(readTwice(decision)[0]).toEqual({ since: new Date(1), list: [1] });
  });

  it("is refused with a reason if it contains values that can be neither frozen nor copied", () => {
    const proxy = new Proxy(new URL("https://example.org"), { preventExtensions: () => false });
    expect(() => withProfile(vandalOf(answering({ proxy }), ["set"]), {})).toThrow("is not plain data");
  });
});
