import { describe, expect, it } from "vitest";
import {
  type Decision,
  defineDecision,
  evaluate,
  type Schema,
  toJsonSchema,
} from "../../packages/core/src/index.js";

/** The schemas for the suite, made with the vendor's own API. */
export interface SchemaPortFixtures {
  /** An object `{ name, size, kind }`: a string, an integer from 1, and one of `a` and `b`. All required, others allowed. */
  readonly object: Schema<unknown, { name: string; size: number; kind: "a" | "b" }>;
  /** An object `{ limit }`: an integer with the default 10. */
  readonly defaults: Schema<unknown, { limit: number }>;
  /** An object `{ items }`: a list of objects `{ id }`, each a string. */
  readonly nested: Schema<unknown, { items: { id: string }[] }>;
}

/**
 * Tests that every implementation of the schema port must pass.
 *
 * @param name - of the vendor
 * @param make - makes the schemas, once for the whole suite
 */
export function describeSchemaPort(name: string, make: () => SchemaPortFixtures): void {
  describe(`${name} as schema port`, () => {
    const { object, defaults, nested } = make();
    const valid = Object.freeze({ name: "x", size: 1, kind: "a" });

    it("implements version 1 of both standards, and names its vendor", () => {
      for (const { "~standard": standard } of [object, defaults, nested]) {
        expect(standard.version).toBe(1);
        expect(standard.vendor).toMatch(/./);
        expect(Object.keys(standard.jsonSchema)).toEqual(expect.arrayContaining(["input", "output"]));
      }
    });

    it("validates synchronously: a value, or issues with their path", () => {
      expect(object["~standard"].validate(valid)).toEqual({ value: valid });
      for (const [value, path] of [
        [{ ...valid, size: "1" }, ["size"]],
        [{ ...valid, size: 0 }, ["size"]],
        [{ ...valid, size: 1.5 }, ["size"]],
        [{ ...valid, kind: "c" }, ["kind"]],
        [{ size: 1, kind: "a" }, ["name"]],
        [null, []],
        [[], []],
      ] as const) {
        expect(pathsOf(object, value), JSON.stringify(value)).toEqual([path]);
      }
      expect(pathsOf(nested, { items: [{ id: "" }, { id: 1 }] })).toEqual([["items", "1", "id"]]);
    });

    it("reports every failing field", () => {
      const paths = pathsOf(object, { name: 1, size: "x", kind: "c" }).map(([field]) => field);
      expect(paths.sort()).toEqual(["kind", "name", "size"]);
    });

    it("fills in defaults without changing the caller's value", () => {
      const sent = Object.freeze({});
      expect(defaults["~standard"].validate(sent)).toEqual({ value: { limit: 10 } });
      expect(defaults["~standard"].validate({ limit: 3 })).toEqual({ value: { limit: 3 } });
      expect(sent).toEqual({});
    });

    it.each(["draft-07", "draft-2020-12"] as const)("writes JSON Schema in %s", (dialect) => {
      const schema = toJsonSchema(object, "input", dialect);
      expect(schema).toMatchObject({
        type: "object",
        properties: { name: { type: "string" }, size: { type: "integer" }, kind: { enum: ["a", "b"] } },
      });
      expect([...Object(schema["required"])].sort()).toEqual(["kind", "name", "size"]);
      expect(JSON.stringify(schema)).not.toContain("$schema");
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    });

    it("makes properties with a default optional in the input and required in the output", () => {
      expect(toJsonSchema(defaults, "input")["required"]).toEqual([]);
      expect(toJsonSchema(defaults, "output")["required"]).toEqual(["limit"]);
    });

    describe("in a decision", () => {
      const decision: Decision = defineDecision({
        id: "port",
        version: "1",
        inputSchema: object,
        outputSchema: nested,
        profileSchema: defaults,
        rules: [
          {
            id: "small",
            when: (input, profile) => input.size < profile.limit,
            emit: ({ name }) => ({ items: [{ id: name }] }),
          },
          { id: "broken", when: (input) => input.kind === "b", emit: () => JSON.parse('{"items":[{}]}') },
        ],
      });

      it("passes validated values to rules", () => {
        expect(evaluate(decision, valid)).toMatchObject({ status: "OK", data: { items: [{ id: "x" }] } });
        expect(evaluate(decision, valid, { limit: 1 })).toMatchObject({ status: "NO_MATCH" });
      });

      it("reports pointers and expectations to callers, never their values", () => {
        const secret = "hunter2-secret";
        const result = evaluate(decision, { name: "x", size: secret, kind: secret });
        expect(result).toMatchObject({ status: "INVALID_INPUT" });
        const text = JSON.stringify(result);
        expect(text).toContain("/size");
        expect(text).toContain("/kind");
        expect(text).not.toContain(secret);
        expect(evaluate(decision, valid, { limit: "x" })).toMatchObject({
          status: "INVALID_PROFILE",
          errors: [{ path: "/limit" }],
        });
      });

      it("blames the decision for an output that does not match the schema", () => {
        expect(() => evaluate(decision, { ...valid, size: 20, kind: "b" })).toThrow(/breaks its schema/);
      });
    });
  });
}

function pathsOf(schema: Schema, value: unknown): readonly (readonly string[])[] {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) throw new Error("The schema returned a promise");
  return (result.issues ?? []).map(({ path = [] }) =>
    path.map((segment) => String(typeof segment === "object" ? segment.key : segment)),
  );
}
