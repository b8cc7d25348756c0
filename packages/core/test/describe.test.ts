import { type } from "arktype";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeDecision, extractDecisionSchema, toJsonSchema } from "../src/index.js";
import { normalizeJsonSchema } from "../src/schema.js";
import { loan } from "./fixtures.js";

describe("describeDecision", () => {
  it("lists exactly the parts that exist", () => {
    expect(describeDecision(loan)).toEqual({ id: "loan", version: "1.2.0" });
  });
});

describe("extractDecisionSchema", () => {
  it("returns the three schemas, always with `required`, never with `$schema`", () => {
    const schema = extractDecisionSchema(loan);
    expect(Object.keys(schema)).toEqual(["id", "version", "inputSchema", "outputSchema", "profileSchema"]);
    expect(schema.inputSchema).toMatchObject({ type: "object", required: ["score"] });
    expect(schema.outputSchema).toMatchObject({ type: "object", required: ["approved", "rate"] });
    expect(schema.profileSchema).toMatchObject({ type: "object", required: [] });
    expect(JSON.stringify(schema)).not.toContain("$schema");
  });
});

describe("toJsonSchema", () => {
  it("writes unions of literals as enum, for every vendor", () => {
    const expected = { type: "string", enum: ["a", "b"] };
    expect(toJsonSchema(z.union([z.literal("a"), z.literal("b")]))).toEqual(expected);
    expect(toJsonSchema(z.enum(["a", "b"]))).toEqual(expected);
    expect(toJsonSchema(type("'a' | 'b'"))).toMatchObject({ enum: ["a", "b"] });
  });
});

describe("normalizeJsonSchema", () => {
  it("normalizes nested schemas, and leaves data that looks like a schema unchanged", () => {
    const schema = {
      type: "object",
      properties: {
        type: { type: "object", properties: { $schema: { const: 1 } } },
        default: { default: { type: "object" } },
      },
    };
    expect(normalizeJsonSchema(schema)).toEqual({
      type: "object",
      properties: {
        type: { type: "object", properties: { $schema: { const: 1 } }, required: [] },
        default: { default: { type: "object" } },
      },
      required: [],
    });
  });

  it("treats null as a literal, and keeps unions that a list would widen", () => {
    const [a, b] = [{ const: "a" }, { const: "b" }];
    expect(normalizeJsonSchema({ anyOf: [a, { type: "null" }] })).toEqual({ enum: ["a", null] });
    expect(normalizeJsonSchema({ oneOf: [a, b] })).toEqual({ type: "string", enum: ["a", "b"] });
    for (const kept of [
      { oneOf: [{ enum: ["a", "b"] }, b] },
      { enum: ["a"], anyOf: [a, b] },
      { anyOf: [a, b], oneOf: [a, b] },
      { anyOf: [a, { type: "string" }] },
    ]) {
      expect(normalizeJsonSchema(kept)).toEqual(kept);
    }
  });

  it("collapses a union to the values that all keywords of a branch allow", () => {
    const branches = [
      { type: "integer", enum: [1, 2.5, "one"] },
      { const: "a", enum: ["a", "b"] },
      { const: "c", enum: ["d"] },
      { type: ["string", "null"], enum: [null, 3, true] },
    ];
    for (const keyword of ["anyOf", "oneOf"]) {
      expect(normalizeJsonSchema({ [keyword]: branches })).toEqual({ enum: [1, "a", null] });
    }
    const none = { anyOf: [{ type: "string", const: 1 }] };
    expect(normalizeJsonSchema(none)).toEqual(none);
  });

  it("adds `properties` and `required` to every type that allows objects", () => {
    const type = ["object", "null"];
    expect(normalizeJsonSchema({ items: { type } })).toEqual({
      items: { type, properties: {}, required: [] },
    });
    expect(normalizeJsonSchema({ type: ["string", "null"] })).toEqual({
      type: ["string", "null"],
    });
  });
});
